import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMIT, IMPLEMENTATION, VERSION } from '../../contract/version.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { runCommand } from './support/run-cli.ts';

describe('daemon status', () => {
  let daemon: FakeDaemon;
  let build: Record<string, string>;
  const status = (...more: string[]) => runCommand(['daemon', 'status', '--socket', daemon.socket, ...more]);

  beforeEach(async () => {
    build = { version: VERSION, commit: COMMIT };
    daemon = await new FakeDaemon(() => ({
      ok: true,
      payload: { ...build, implementation: IMPLEMENTATION, services: [] },
    })).listen();
  });
  afterEach(() => daemon.close());

  it('warns once, apart from its output, when the daemon is of another build', async () => {
    build = { version: '99.0.0' };
    const warning = 'warning: the running daemon is v99.0.0, this is';
    const text = await status();
    expect(text).toMatchObject({ exitCode: 0, stdout: 'daemon: running (v99.0.0)\n' });
    expect(text.stderr.startsWith(warning)).toBe(true);
    expect(text.stderr.trim().split('\n')).toHaveLength(1);
    const json = await status('-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      running: true,
      version: '99.0.0',
      version_skew: expect.stringContaining('omni-dev daemon restart'),
    });
    expect(json.stderr).toBe(text.stderr);
  });

  it('says nothing of it when it is of this build', async () => {
    expect((await status()).stderr).toBe('');
    expect(JSON.parse((await status('-o', 'json')).stdout)).not.toHaveProperty('version_skew');
  });

  it('is the contract’s own when there is no daemon', async () => {
    await daemon.stop();
    expect(await status()).toMatchObject({ exitCode: 0, stdout: 'daemon: not running\n', stderr: '' });
    expect(JSON.parse((await status('-o', 'json')).stdout)).toEqual({ running: false });
  });
});
