import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CodexTerminal } from '../../lab/codex-terminal.ts';
import { PROGRAMS_DIR } from '../../support/programs.ts';
import { type FakeScript, WrappedFake } from './wrapped-fake.ts';

const WAIT = { timeout: 20_000, interval: 30 };
const SHELL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGKILL: 137 } as const;
const runs: WrappedFake[] = [];

async function started(script: FakeScript = {}): Promise<{ run: WrappedFake; terminal: CodexTerminal }> {
  const run = new WrappedFake(script);
  runs.push(run);
  const terminal = run.start();
  await terminal.see(/fake codex is ready/);
  await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
  return { run, terminal };
}

afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
});

async function expectNothingLeft(run: WrappedFake): Promise<void> {
  await vi.waitFor(() => expect(run.running()).toEqual([]), WAIT);
  expect(await run.leftFiles()).toEqual([]);
}

/** The terminal as a shell wants it back. */
async function expectRestored(terminal: CodexTerminal): Promise<void> {
  await vi.waitFor(() => expect(terminal.isOnAlternateScreen).toBe(false), WAIT);
  expect(terminal.modes).toEqual({ bracketedPaste: false, mouse: false, focus: false });
}

describe('a signal', () => {
  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    'for codex-wrap reaches the interface: %s',
    async (signal) => {
      const { run, terminal } = await started();
      process.kill(terminal.pid, signal);
      expect((await terminal.exited).code).toBe(SHELL_STATUS[signal]);
      expect(run.daemon.words.at(-1)).toBe('ended interface_exited');
      await expectRestored(terminal);
      await expectNothingLeft(run);
    },
  );

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'that ends the interface ends the session, and the terminal is put back: %s',
    async (signal) => {
      const { run, terminal } = await started();
      process.kill(run.log('interface')[0]?.pid ?? 0, signal);
      expect((await terminal.exited).code).toBe(SHELL_STATUS[signal]);
      expect(run.daemon.words.at(-1)).toBe('ended interface_exited');
      await expectRestored(terminal);
      await expectNothingLeft(run);
    },
  );

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'that ends the server ends the session, and the interface goes on: %s',
    async (signal) => {
      const { run, terminal } = await started();
      process.kill(run.log('server')[0]?.pid ?? 0, signal);
      await vi.waitFor(() => expect(run.daemon.words.at(-1)).toBe('ended server_gone'), WAIT);
      await terminal.see(/Reconnecting to server/);
      terminal.press('x');
      expect((await terminal.exited).code).toBe(3);
      await expectNothingLeft(run);
    },
  );

  it('before the interface is there ends everything', async () => {
    const run = new WrappedFake({ server: 'never-listens' });
    runs.push(run);
    const terminal = run.start();
    await vi.waitFor(() => expect(run.log('server')).toHaveLength(1), WAIT);
    process.kill(terminal.pid, 'SIGINT');
    expect((await terminal.exited).code).toBe(130);
    expect(run.log('interface')).toEqual([]);
    await expectNothingLeft(run);
  });
});

describe('a server that does not stop', () => {
  it('is asked twice, then killed', async () => {
    const { run, terminal } = await started({ server: 'ignores-term' });
    terminal.press('q');
    await terminal.exited;
    expect(run.log('server SIGTERM')).toHaveLength(2);
    await expectNothingLeft(run);
  });

  it('is not killed when the second request is enough', async () => {
    const { run, terminal } = await started({ server: 'ignores-one-term' });
    terminal.press('q');
    await terminal.exited;
    expect(run.log('server SIGTERM')).toHaveLength(2);
    await expectNothingLeft(run);
  });
});

describe('a killed codex-wrap', () => {
  it('is cleaned up after by the next one, which leaves a living one alone', async () => {
    const { run, terminal } = await started();
    const neighbour = run.start();
    await neighbour.see(/fake codex is ready/);
    const [killed, living] = run.log('server').map(({ pid }) => pid);
    process.kill(terminal.pid, 'SIGKILL');
    await terminal.exited;
    await sleep(200);
    expect(run.running()).toContain(killed);

    const next = run.start();
    await next.see(/fake codex is ready/);
    await vi.waitFor(() => expect(run.running()).not.toContain(killed), WAIT);
    expect(run.running()).toContain(living);
    next.press('q');
    neighbour.press('q');
    await Promise.all([next.exited, neighbour.exited]);
    await expectNothingLeft(run);
  });

  it('is cleaned up after even by a run that ends at once', async () => {
    const { run, terminal } = await started();
    process.kill(terminal.pid, 'SIGKILL');
    await terminal.exited;
    const next = run.start();
    await next.see(/fake codex is ready/);
    next.press('q');
    await next.exited;
    await expectNothingLeft(run);
  });
});

describe('the terminal', () => {
  it('has its line settings back after a killed interface', async () => {
    const run = new WrappedFake();
    runs.push(run);
    const wrapper = `${process.execPath} ${path.join(PROGRAMS_DIR, 'codex-wrap.cjs')}`;
    const fake = path.join(import.meta.dirname, 'codex-fake.mjs');
    const terminal = run.startProgram('/bin/sh', [
      '-c',
      `before=$(stty -g); ${wrapper} -- ${fake}; test "$(stty -g)" = "$before" && echo same settings; read line`,
    ]);
    await terminal.see(/fake codex is ready/);
    process.kill(run.log('interface')[0]?.pid ?? 0, 'SIGKILL');
    await terminal.see(/same settings/);
  });
});
