import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { statsLines } from '../../cli/view/stats-lines.ts';
import { sendRequest } from '../../contract/client.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { runCommand } from './support/run-cli.ts';

describe('sessions stats', () => {
  it('shows repositories and sessions, longest first, without control characters', () => {
    const lines = statsLines({
      day: '2026-10-03',
      since: '2026-10-03T08:00:00Z',
      sessions: [
        {
          session_id: '129a4de8-4972',
          agent: 'claude',
          cwd: '/p/s\u001b[31mhop',
          waits: 2,
          waited_s: 130.5,
          waiting: true,
        },
        { session_id: 'b', agent: 'codex', waits: 1, waited_s: 5, waiting: false },
      ],
      repositories: [{ repo: 'shop', waits: 3, waited_s: 135.5 }],
    });
    expect(lines[0]).toMatch(/^2026-10-03, since \d\d:\d\d: 3 wait\(s\), 2m15s in all$/);
    expect(lines.slice(2)).toEqual([
      'WAITED  WAITS  REPOSITORY',
      ' 2m15s      3  shop',
      '',
      'WAITED  WAITS  SESSION   AGENT   FOLDER',
      ' 2m10s      2  129a4de8  claude  /p/s[31mhop  (waits now)',
      '    5s      1  b         codex   -',
    ]);
  });

  it('leaves out the repositories where no session is in one', () => {
    const waited = {
      session_id: 'a',
      agent: 'pi' as const,
      cwd: '/p',
      waits: 1,
      waited_s: 5,
      waiting: false,
    };
    const stats = { day: '2026-10-03', since: '2026-10-03T08:00:00Z', sessions: [waited], repositories: [] };
    expect(statsLines(stats).slice(1)).toEqual([
      '',
      'WAITED  WAITS  SESSION   AGENT   FOLDER',
      '    5s      1  a         pi      /p',
    ]);
  });

  it('asks the daemon, which has looked since it started', async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
    const socket = path.join(home, 'd.sock');
    const daemon = spawn(
      process.execPath,
      [path.join(PROGRAMS_DIR, 'daemon.cjs'), 'run', '--socket', socket],
      {
        env: { PATH: process.env.PATH, HOME: home },
        stdio: 'ignore',
      },
    );
    try {
      await until(() => sendRequest(socket, { op: 'ping' }).then(Boolean, () => false));
      const observe = {
        session_id: 'abc',
        event: { notification: 'permission_prompt' },
        cwd: '/p/shop',
        repo: 'shop',
      };
      await sendRequest(socket, sessionsRequest('observe', observe));
      const { stdout, exitCode } = await runCommand(['sessions', 'stats', '-o', 'json', '--socket', socket]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout).sessions).toMatchObject([{ session_id: 'abc', waits: 1, waiting: true }]);
      expect((await runCommand(['sessions', 'stats', '--socket', socket])).stdout).toContain('1 wait(s)');
    } finally {
      daemon.kill();
      await new Promise((resolve) => daemon.once('exit', resolve));
      rmSync(home, { recursive: true, force: true });
    }
  });
});
