import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PROGRAMS_DIR } from '../../support/programs.ts';
import { type FakeScript, WrappedFake } from './wrapped-fake.ts';

const WAIT = { timeout: 20_000, interval: 30 };
const runs: WrappedFake[] = [];

function wrapped(script: FakeScript = {}): WrappedFake {
  const run = new WrappedFake(script);
  runs.push(run);
  return run;
}

afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
});

/** Nothing runs any more and nothing lies around. */
async function expectNothingLeft(run: WrappedFake): Promise<void> {
  await vi.waitFor(() => expect(run.running()).toEqual([]), WAIT);
  expect(await run.leftFiles()).toEqual([]);
}

describe('codex-wrap in a terminal', () => {
  it('shows the interface, reports every state, ends the session and leaves with its status', async () => {
    const rollout = path.join('/tmp', 'no-such-rollout');
    const run = wrapped({ rollout });
    const terminal = run.start();
    await terminal.see(/fake codex is ready/);
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
    for (const [key, words] of [
      ['w', 'working'],
      ['p', 'waiting_for_permission'],
      ['w', 'working'],
      ['i', 'idle'],
    ] as const) {
      terminal.press(key);
      await vi.waitFor(() => expect(run.daemon.words.at(-1)).toBe(words), WAIT);
    }
    terminal.press('q');
    expect(await terminal.exited).toEqual({ code: 0, signal: 0 });
    expect(run.daemon.words).toEqual([
      'idle',
      'working',
      'waiting_for_permission',
      'working',
      'idle',
      'ended interface_exited',
    ]);
    expect(run.daemon.observes[0]).toMatchObject({
      agent: 'codex',
      feed: 'codex_server',
      cwd: run.project,
      transcript_path: rollout,
    });
    expect(run.daemon.observes.every((payload) => payload.pid === undefined)).toBe(true);
    await expectNothingLeft(run);
  });

  it("starts the server in the user's directory and environment, and names it as the interface does", async () => {
    const run = wrapped();
    const terminal = run.start(['resume', '--last'], { MARKER: 'kept' });
    await terminal.see(/fake codex is ready/);
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
    expect(run.log('server')).toEqual([expect.objectContaining({ cwd: run.project, marker: 'kept' })]);
    const [remote, address, ...rest] = run.log('interface')[0]?.args ?? [];
    expect([remote, ...rest]).toEqual(['--remote', 'resume', '--last']);
    expect(address).toMatch(/^unix:\/\/.*\/codex-wrap-\d+\.sock$/);
    const clients = run.log('server got').flatMap(({ client }) => client ?? []);
    expect(clients.map(({ name }) => name)).toEqual(['codex-tui', 'codex-tui']);
    expect(clients[1]?.version).toBe('0.171.0');
  });

  it('explains the hint that names the stopped server', async () => {
    const run = wrapped({ rollout: path.join(import.meta.dirname, 'codex-fake.mjs') });
    const terminal = run.start();
    await terminal.see(/fake codex is ready/);
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
    terminal.press('q');
    await terminal.see(
      /Disconnected from this task\.\s+omni-dev: the private server named above has stopped/,
    );
    await terminal.see(/resume 01a22c03/);
    await terminal.exited;
  });

  it('mirrors another exit status', async () => {
    const run = wrapped();
    const terminal = run.start();
    await terminal.see(/fake codex is ready/);
    terminal.press('x');
    expect(await terminal.exited).toEqual({ code: 3, signal: 0 });
    await expectNothingLeft(run);
  });

  it('observes again after a lost connection', async () => {
    const run = wrapped();
    const terminal = run.start();
    await terminal.see(/fake codex is ready/);
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
    terminal.press('h');
    await vi.waitFor(() => expect(run.log('server got').filter(({ client }) => client).length).toBe(3), WAIT);
    terminal.press('w');
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle', 'working']), WAIT);
  });

  it('works without the file of its observer', async () => {
    const run = wrapped();
    const alone = path.join(run.root, 'codex-wrap.cjs');
    copyFileSync(path.join(PROGRAMS_DIR, 'codex-wrap.cjs'), alone);
    const [node = '', , ...words] = run.command();
    const terminal = run.startProgram(node, [alone, ...words]);
    await terminal.see(/fake codex is ready/);
    await sleep(500);
    terminal.press('q');
    expect(await terminal.exited).toEqual({ code: 0, signal: 0 });
    await expectNothingLeft(run);
  });

  it('works without a daemon', async () => {
    const run = wrapped();
    await run.daemon.close();
    const terminal = run.start();
    await terminal.see(/fake codex is ready/);
    await sleep(300);
    terminal.press('q');
    expect(await terminal.exited).toEqual({ code: 0, signal: 0 });
    await expectNothingLeft(run);
  });
});

describe('codex-wrap gets out of the way', () => {
  it.each([['exec', 'hello'], ['--version'], ['--remote', 'unix:///else']])(
    'of an invocation that is not for it: %s',
    async (...args) => {
      const run = wrapped();
      const terminal = run.start(args.filter((word) => typeof word === 'string'));
      // The fake takes --remote for an interface, which finds no server there.
      if (args[0] === '--remote') await terminal.see(/failed to connect/);
      else await terminal.see(/plain codex ran with/);
      expect((await terminal.exited).code).toBe(args[0] === '--remote' ? 1 : 7);
      expect(run.log('server')).toEqual([]);
    },
  );

  it('when its server ends at once', async () => {
    const run = wrapped({ server: 'exits' });
    const terminal = run.start(['resume']);
    await terminal.see(/plain codex ran with \["resume"\]/);
    expect((await terminal.exited).code).toBe(7);
    await expectNothingLeft(run);
  });

  it.each(['never-listens', 'never-upgrades'] as const)(
    'after ten seconds when its server %s',
    async (server) => {
      const run = wrapped({ server });
      const terminal = run.start();
      const began = Date.now();
      await terminal.see(/plain codex ran with/, 25_000);
      expect(Date.now() - began).toBeGreaterThan(9_000);
      expect((await terminal.exited).code).toBe(7);
      await vi.waitFor(() => expect(run.running()).toEqual([]), WAIT);
    },
  );

  it('when the interface does not know how to do this on a server', async () => {
    const usage = wrapped({ screen: 'exits-2' });
    await usage.start().see(/plain codex ran with \[\]/);
    const command = wrapped({ screen: 'exits-1' });
    await command.start(['new-command']).see(/plain codex ran with \["new-command"\]/);
    await expectNothingLeft(usage);
  });

  it('but not when a session that it does know fails', async () => {
    const run = wrapped({ screen: 'exits-1' });
    const terminal = run.start(['resume', 'no-such-session']);
    expect((await terminal.exited).code).toBe(1);
    expect(run.log('plain')).toEqual([]);
    await expectNothingLeft(run);
  });

  it('when there is no place for a socket', async () => {
    const run = wrapped();
    writeFileSync(path.join(run.root, 'file'), '');
    const terminal = run.start([], {
      XDG_DATA_HOME: path.join(run.root, 'file'),
      TMPDIR: '/no/such/directory',
    });
    await terminal.see(/plain codex ran with/);
  });

  it('saying what could not be run', async () => {
    const run = wrapped();
    const program = path.join(PROGRAMS_DIR, 'codex-wrap.cjs');
    const missing = run.startProgram(process.execPath, [program, '--', 'codex-that-is-not-there']);
    expect((await missing.exited).code).toBe(127);
    const nothing = run.startProgram(process.execPath, [program]);
    await nothing.see(/usage: omni-dev codex-wrap/);
    expect((await nothing.exited).code).toBe(2);
  });
});
