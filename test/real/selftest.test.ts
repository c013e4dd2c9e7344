import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { SelftestReport } from '../../cli/selftest/signals.ts';
import { agentPath } from '../lab/agents.ts';
import { OMNI_DEV } from '../support/programs.ts';

const run = promisify(execFile);

it.each(['claude', 'codex'] as const)(
  'every signal of the real %s comes, and nothing of it stays',
  async (agent) => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'od-'));
    const [home, temporary] = [path.join(root, 'home'), path.join(root, 't')];
    for (const folder of [home, temporary]) mkdirSync(folder);
    try {
      const argv = [OMNI_DEV, 'selftest', '--agent', agent, '--program', agentPath(agent), '-o', 'json'];
      const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary };
      // A signal that is missing ends the command with 1: the report tells which.
      const { stdout } = await run(process.execPath, argv, { env, timeout: 120_000 }).catch(
        (error: { stdout: string }) => error,
      );
      const { signals, problem, ok } = JSON.parse(stdout) as SelftestReport;
      expect(problem).toBeUndefined();
      expect(signals.filter(({ result }) => result !== 'ok')).toEqual([]);
      expect(signals.length).toBeGreaterThan(20);
      expect(ok).toBe(true);
      expect(readdirSync(temporary)).toEqual([]);
      expect(readdirSync(home)).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
