import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../catalog/session.ts';
import { agentPath } from '../../lab/agents.ts';
import { PI_RELEASES, PiLab, type PiRelease } from '../../lab/pi-lab.ts';
import { until } from '../../support/until.ts';
import { findSessions, resumeInTerminal } from './support.ts';

/** A `pi` on the PATH, as an installation has one. */
function installPi(home: string, release: PiRelease): string {
  const bin = path.join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  const node = release.agent === 'pi' ? agentPath('node24') : process.execPath;
  writeFileSync(path.join(bin, 'pi'), `#!/bin/sh\nexec '${node}' '${agentPath(release.agent)}' "$@"\n`);
  chmodSync(path.join(bin, 'pi'), 0o755);
  return bin;
}

describe.each(PI_RELEASES)('a home that the real pi made ($agent)', (release) => {
  const lab = new PiLab(release);
  let env: Record<string, string>;

  const ask = async (...args: string[]) => {
    const child = lab.spawn(['-p', ...args], 'ignore');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(child.exitCode).toBe(0);
  };

  beforeAll(async () => {
    await lab.start({ daemon: false });
    env = {
      HOME: lab.home,
      PATH: `${installPi(lab.home, release)}:${process.env.PATH}`,
      TMPDIR: lab.home,
      LANG: 'C.UTF-8',
      PI_OFFLINE: '1',
    };
    await ask('mind the shop');
    await ask('use-tool first');
    const parent = byPrompt(await findSessions(env), 'mind the shop');
    await ask('--fork', parent.id, 'go another way');
    const rpc = lab.rpc(['--session', byPrompt(await findSessions(env), 'use-tool first').transcript]);
    rpc.send({ id: 'name', type: 'set_session_name', name: 'Chosen by hand' });
    await until(() => rpc.lines.some(({ id }) => id === 'name'));
    await sleep(500);
    rpc.child.stdin?.end();
    await rpc.exited;
  }, 120_000);
  afterAll(() => lab.stop());

  const byPrompt = (sessions: readonly Session[], prompt: string): Session => {
    const found = sessions.find(({ recentPrompts }) => recentPrompts.at(-1) === prompt);
    if (found === undefined) throw new Error(`no session with the prompt ${prompt}`);
    return found;
  };

  it('lists each session, every field in place', async () => {
    const sessions = await findSessions(env);
    expect(sessions.map(({ title, titleSource }) => `${titleSource}: ${title}`).sort()).toEqual([
      'custom: Chosen by hand',
      'first-prompt: mind the shop',
      'first-prompt: mind the shop',
    ]);
    for (const session of sessions) {
      expect(session).toMatchObject({ harness: 'pi', cwd: lab.project, resume: { cwd: lab.project } });
      expect(Date.parse(session.lastHumanActivityAt ?? '')).toBeLessThanOrEqual(
        Date.parse(session.lastActivityAt),
      );
    }
  });

  it('links a fork with its parent and gives it its own prompts', async () => {
    const sessions = await findSessions(env);
    const fork = byPrompt(sessions, 'go another way');
    expect(fork.recentPrompts).toEqual(['go another way']);
    expect(fork.links).toEqual({ forkedFrom: byPrompt(sessions, 'mind the shop').id });
  });

  it('tells the commands a session ran, as far as they name work', async () => {
    const sessions = await findSessions(env, process.execPath, ['--evidence']);
    expect(byPrompt(sessions, 'use-tool first').evidence).toMatchObject({ lowerBound: true, complete: true });
  });

  it('resumes each of them for real, in its directory', async () => {
    for (const session of await findSessions(env)) {
      const question = `are you back ${session.id.slice(-6)}`;
      const terminal = resumeInTerminal(session.id, env);
      try {
        await until(
          () => terminal.text().includes('mock-1'),
          () => `pi did not start:\n${terminal.text()}`,
        );
        await sleep(1_500);
        terminal.press(question);
        await sleep(700);
        terminal.press('\r');
        await until(
          () => readFileSync(session.transcript, 'utf8').includes(question),
          () => `${session.title} did not go on:\n${terminal.text()}`,
        );
        await sleep(1_000);
        terminal.press('\u0004');
        await terminal.exited;
      } finally {
        await terminal.close();
      }
      const after = (await findSessions(env)).find(({ id }) => id === session.id);
      expect(after?.recentPrompts.at(-1)).toBe(question);
      expect(after).toMatchObject({ title: session.title, cwd: lab.project });
    }
    expect(await findSessions(env)).toHaveLength(3);
  });
});
