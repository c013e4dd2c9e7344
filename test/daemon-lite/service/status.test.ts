import { describe, expect, it } from 'vitest';
import {
  type DaemonStatus,
  daemonStatus,
  statusLines,
  versionSkew,
} from '../../../daemon-lite/service/status.ts';
import { FakeDaemon } from '../../support/fake-daemon.ts';

const OURS = { version: '1.2.0', commit: 'abc' };

function running(more: Partial<DaemonStatus & { running: true }> = {}): DaemonStatus {
  return { running: true, implementation: 'omni-dev-node', services: [], ...more };
}

describe('the lines of daemon status', () => {
  it('say that none runs', () => {
    expect(statusLines({ running: false })).toEqual(['daemon: not running']);
  });

  it('name the known parts of the build and line the services up', () => {
    const status = running({
      version: '1.2.0',
      commit: 'abc',
      built: '2026-10-03',
      dirty: true,
      services: [
        { name: 'sessions', healthy: true, summary: '2 session(s)' },
        { name: 'worktrees', healthy: false, summary: 'no folder' },
      ],
    });
    expect(statusLines(status)).toEqual([
      'daemon: running (v1.2.0, abc, built 2026-10-03, dirty)',
      '  sessions         ok         2 session(s)',
      '  worktrees        unhealthy  no folder',
    ]);
    expect(statusLines(running())[0]).toBe('daemon: running');
  });

  it('say when it is another implementation that serves the socket', () => {
    const { implementation: _, ...foreign } = running({ version: '0.41.0' }) as DaemonStatus & {
      running: true;
    };
    expect(statusLines(foreign)).toEqual([
      'daemon: running (v0.41.0)',
      '  (another omni-dev serves this socket)',
    ]);
  });
});

describe('version skew', () => {
  it.each([
    ['the same commit', { version: '1.2.0', commit: 'abc' }, false],
    ['the same commit under another version', { version: '1.1.0', commit: 'abc' }, false],
    ['another commit of the same version', { version: '1.2.0', commit: 'def' }, true],
    ['the same version, commit unknown', { version: '1.2.0' }, false],
    ['another version, commit unknown', { version: '1.3.0' }, true],
  ])('is decided by commit, else by version: %s', (_what, build, differs) => {
    expect(versionSkew(running(build), OURS) !== undefined).toBe(differs);
  });

  it('is one line that names both and the fix', () => {
    expect(versionSkew(running({ version: '1.1.0', commit: 'def' }), OURS)).toBe(
      'warning: the running daemon is v1.1.0 def, this is v1.2.0 abc; run `omni-dev daemon restart`',
    );
  });

  it('is none without a daemon of ours', () => {
    expect(versionSkew({ running: false }, OURS)).toBeUndefined();
    expect(versionSkew({ running: true, version: '0.41.0', services: [] }, OURS)).toBeUndefined();
  });
});

describe('the status of the daemon on a socket', () => {
  it('is read with care from whoever answers', async () => {
    const daemon = await new FakeDaemon(() => ({
      ok: true,
      payload: { version: 5, services: [{ name: 'sessions', healthy: 1 }, 'junk'] },
    })).listen();
    expect(await daemonStatus(daemon.socket)).toEqual({
      running: true,
      services: [
        { name: 'sessions', healthy: false, summary: '' },
        { name: '', healthy: false, summary: '' },
      ],
    });
    await daemon.close();
  });

  it('is not running when nobody listens, and an error when nobody answers', async () => {
    const daemon = await new FakeDaemon(() => undefined).listen();
    await expect(daemonStatus(daemon.socket, 50)).rejects.toMatchObject({ code: 'DAEMON_TIMEOUT' });
    await daemon.close();
    expect(await daemonStatus(daemon.socket)).toEqual({ running: false });
  });
});
