import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVAL, CodexLab, READY } from '../../lab/codex-lab.ts';
import type { CodexTerminal } from '../../lab/codex-terminal.ts';
import { ProgramStatusReader } from '../../lab/program-status.ts';
import { until } from '../../support/until.ts';
import { patternOf, SCENARIOS } from '../codex/scenarios.ts';

const PTY = ['--pty'];
const TITLE = /\x1b\]0;([^\x07]*)\x07/g;

/** The states that Codex announced to its terminal. */
function announced(terminal: CodexTerminal): string[] {
  const reader = new ProgramStatusReader();
  reader.push(terminal.output);
  return reader.states.map(({ state }) => state);
}

/** States without how a turn ended, which a terminal is not told after an interrupt; what may be missed stays marked. */
function withoutOutcome(states: readonly string[]): string[] {
  return states.map((state) => state.replace(/ \w+(\??)$/, '$1'));
}

function titles(terminal: CodexTerminal): string[] {
  return [...terminal.output.matchAll(TITLE)].map(([, title = '']) => title);
}

/** The screen once nothing moves any more, without what differs from run to run: folders, ids, times. */
async function settled(terminal: CodexTerminal, pattern: RegExp, root: string): Promise<string> {
  await terminal.see(pattern, 60_000);
  const text = () =>
    terminal
      .text()
      .replaceAll(root, 'ROOT')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/\d+(\.\d+)?m?s\b/g, 'N s')
      .replace(/\b\d\d:\d\d\b/g, 'CLOCK');
  for (let last = ''; last !== text(); await sleep(1_500)) last = text();
  return text();
}

describe('the real Codex behind codex-wrap --pty', () => {
  const lab = new CodexLab();
  beforeAll(() => lab.start({ features: { default_mode_request_user_input: true } }));
  afterAll(() => lab.stop());

  it.each(SCENARIOS)(
    '$name: the list says what Codex announces to its terminal',
    async ({ play, states }) => {
      const row = lab.sessions.length;
      const terminal = await lab.wrapped([], READY, PTY);
      await lab.reach('idle', row);
      await play(terminal, lab, row);
      await terminal.enter('/exit');
      expect(await terminal.exited).toEqual({ code: 0, signal: 0 });
      await lab.reach('ended', row);
      expect(lab.states(row).join(' > ')).toMatch(patternOf([...states, 'ended']));
      expect(announced(terminal).join(' > ')).toMatch(patternOf([...withoutOutcome(states), 'ended']));
      expect(lab.leftFiles()).toEqual([]);
      expect(lab.sessions).toHaveLength(row + 1);
    },
  );

  it('the title names the model, and is empty at the end', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped([], READY, PTY);
    await lab.reach('idle', row);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    await terminal.enter('/exit');
    await terminal.exited;
    const seen = titles(terminal);
    expect(seen).toContain('🟡 Sol · project');
    expect(seen.some((title) => /^🟡 Sol · [⠀-⣿] project$/u.test(title))).toBe(true);
    expect(seen.at(-1)).toBe('');
  });

  it('suspended with Ctrl-Z and brought back, as a job of a shell', async () => {
    const row = lab.sessions.length;
    const shell = await lab.onTerminal('/bin/bash', ['--norc', '-i']);
    shell.press(`${lab.wrapperCommand(PTY).join(' ')}\r`);
    await shell.see(READY, 60_000);
    await lab.reach('idle', row);
    shell.press('\x1a');
    await shell.see(/Stopped/);
    expect(shell.modes).toMatchObject({ mouse: false, focus: false });
    shell.press('fg\r');
    await until(() => shell.isOnAlternateScreen, undefined, 60_000);
    await shell.see(READY);
    // Codex throws away what was typed while it was not there.
    await sleep(1_000);
    await shell.enter('say hello');
    await lab.reach('idle done', row);
    await shell.enter('/exit');
    await lab.reach('ended', row);
    await shell.close();
  });
});

describe('the screen of the real Codex', () => {
  async function screens(options: string[]): Promise<string[]> {
    const lab = new CodexLab();
    try {
      await lab.start({ daemon: false });
      const terminal = await lab.wrapped([], READY, options);
      const look = (pattern: RegExp) => settled(terminal, pattern, lab.home.root);
      const seen = [await look(READY)];
      await terminal.enter('say hello');
      seen.push(await look(/Hello from the mock/));
      await terminal.enter('ask for approval');
      seen.push(await look(APPROVAL));
      terminal.press('n');
      seen.push(await look(/interrupted/i));
      await terminal.enter('/exit');
      await terminal.exited;
      return seen;
    } finally {
      await lab.stop();
    }
  }

  it('is the same with and without us between it and its terminal', async () => {
    const bare = await screens(['--no-pty']);
    expect(await screens(PTY)).toEqual(bare);
  });
});
