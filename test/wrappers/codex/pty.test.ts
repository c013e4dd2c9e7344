import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CodexTerminal } from '../../lab/codex-terminal.ts';
import { type FakeScript, WrappedFake } from './wrapped-fake.ts';

const WAIT = { timeout: 60_000, interval: 30 };
const SHELL_STATUS = { SIGHUP: 129, SIGTERM: 143, SIGKILL: 137 } as const;
const runs: WrappedFake[] = [];

function wrappedFake(script: FakeScript = {}): WrappedFake {
  const run = new WrappedFake(script);
  runs.push(run);
  return run;
}

async function started(run: WrappedFake, options = ['--pty'], env = {}): Promise<CodexTerminal> {
  const terminal = run.start([], env, options);
  await terminal.see(/fake codex is ready/, WAIT.timeout);
  await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
  return terminal;
}

afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
});

async function expectNothingLeft(run: WrappedFake): Promise<void> {
  await vi.waitFor(() => expect(run.running()).toEqual([]), WAIT);
  expect(await run.leftFiles()).toEqual([]);
}

/** The terminal that the interface was started on. */
const terminalOf = (run: WrappedFake) => run.log('interface').at(-1)?.terminal;

describe('codex-wrap --pty', () => {
  it('shows the interface, reports every state of the server, and leaves with its status', async () => {
    const run = wrappedFake();
    const terminal = await started(run);
    for (const [key, word] of [
      ['w', 'working'],
      ['p', 'waiting_for_permission'],
      ['w', 'working'],
      ['i', 'idle'],
    ] as const) {
      terminal.press(key);
      await vi.waitFor(() => expect(run.daemon.words.at(-1)).toBe(word), WAIT);
    }
    terminal.press('x');
    expect(await terminal.exited).toEqual({ code: 3, signal: 0 });
    expect(run.daemon.words.at(-1)).toBe('ended interface_exited');
    await expectNothingLeft(run);
  });

  it('names the model before the title, anew when it changes, and leaves an empty title empty', async () => {
    const run = wrappedFake({ model: 'gpt-6.2-sol' });
    const terminal = await started(run);
    terminal.press('t');
    await vi.waitFor(() => expect(terminal.output).toContain('\x1b]0;🟡 Sol · my project\x07'), WAIT);
    // The server is asked for the model again as soon as it has work.
    terminal.press('mw');
    await vi.waitFor(() => expect(terminal.output).toContain('\x1b]0;🔵 Luna · my project\x07'), WAIT);
    terminal.press('e');
    await vi.waitFor(() => expect(terminal.output).toContain('\x1b]0;\x07'), WAIT);
    terminal.press('q');
    await terminal.exited;
  });

  it('leaves titles alone when that is switched off', async () => {
    const run = wrappedFake({ model: 'gpt-6.2-sol' });
    const terminal = await started(run, ['--pty'], { OMNI_DEV_CODEX_WRAP_NO_TITLE_REWRITE: '1' });
    terminal.press('t');
    await vi.waitFor(() => expect(terminal.output).toContain('\x1b]0;my project\x07'), WAIT);
    terminal.press('q');
    await terminal.exited;
    expect(terminal.output).not.toContain('Sol');
  });

  it('leaves program status to the terminal: Codex announces it unasked', async () => {
    const run = wrappedFake();
    const terminal = await started(run);
    terminal.press('s');
    await vi.waitFor(() => expect(terminal.output).toContain('\x1b]7501;state=idle:app=codex\x1b\\'), WAIT);
    terminal.press('q');
    await terminal.exited;
  });

  it.each(['SIGHUP', 'SIGTERM'] as const)('passes %s on, and everything is put back', async (signal) => {
    const run = wrappedFake();
    const terminal = await started(run);
    process.kill(terminal.pid, signal);
    expect((await terminal.exited).code).toBe(SHELL_STATUS[signal]);
    expect(run.daemon.words.at(-1)).toBe('ended interface_exited');
    await vi.waitFor(() => expect(terminal.isOnAlternateScreen).toBe(false), WAIT);
    expect(terminal.modes).toEqual({ bracketedPaste: false, mouse: false, focus: false });
    await expectNothingLeft(run);
  });

  it('D13: puts the terminal back when the interface is killed', async () => {
    const run = wrappedFake();
    const terminal = await started(run);
    process.kill(run.log('interface')[0]?.pid ?? 0, 'SIGKILL');
    expect((await terminal.exited).code).toBe(SHELL_STATUS.SIGKILL);
    await vi.waitFor(() => expect(terminal.isOnAlternateScreen).toBe(false), WAIT);
    expect(terminal.modes).toEqual({ bracketedPaste: false, mouse: false, focus: false });
    await expectNothingLeft(run);
  });

  it('runs an interface that cannot live on our server as it would without us', async () => {
    const run = wrappedFake({ screen: 'exits-2' });
    const terminal = run.start(['--new-flag'], {}, ['--pty']);
    await terminal.see(/plain codex ran with \["--new-flag"\]/, WAIT.timeout);
    expect((await terminal.exited).code).toBe(7);
    await expectNothingLeft(run);
  });
});

describe('stderr that is a pipe', () => {
  it.each([
    ['stays as it is for the interface', []],
    ['is still where errors go, with --pty', ['--pty']],
  ])('%s', async (_, options) => {
    const run = wrappedFake();
    const errors = path.join(run.root, 'errors');
    // A reader that is slow: what a pipe holds is less than what is written.
    const reader = `(exec <'${errors}.pipe'; sleep 2; cat >'${errors}') &`;
    const script = `mkfifo '${errors}.pipe'; ${reader} "$@" 2>'${errors}.pipe'; code=$?; wait; exit $code`;
    const terminal = run.startProgram('bash', ['-c', script, 'bash', ...run.command(options)]);
    await terminal.see(/fake codex is ready/, WAIT.timeout);
    await vi.waitFor(() => expect(run.daemon.words).toEqual(['idle']), WAIT);
    terminal.press('b');
    terminal.press('q');
    expect((await terminal.exited).code).toBe(0);
    expect(readFileSync(errors, 'latin1').match(/^x+/)?.[0]).toHaveLength(1e6);
  });
});

describe('the settings file', () => {
  function settings(run: WrappedFake, text: string): void {
    const folder = path.join(run.root, 'home', '.omni-dev');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), text);
  }

  it('without a word on it: the interface has the terminal to itself', async () => {
    const run = wrappedFake();
    const terminal = await started(run, []);
    expect(terminalOf(run)).toBe(terminal.name());
    terminal.press('q');
    await terminal.exited;
  });

  it('makes --pty the default with `wrappers.pty`', async () => {
    const run = wrappedFake();
    settings(run, '{ // in a terminal too\n "wrappers": { "pty": true }, }');
    const terminal = await started(run, []);
    expect(terminalOf(run)).not.toBe(terminal.name());
    terminal.press('q');
    await terminal.exited;
  });

  it('is overruled by --no-pty', async () => {
    const run = wrappedFake();
    settings(run, '{ "wrappers": { "pty": true } }');
    const terminal = await started(run, ['--no-pty']);
    expect(terminalOf(run)).toBe(terminal.name());
    terminal.press('q');
    await terminal.exited;
  });
});
