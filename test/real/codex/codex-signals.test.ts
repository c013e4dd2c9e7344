import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { APPROVAL, CodexLab } from '../../lab/codex-lab.ts';
import type { CodexTerminal } from '../../lab/codex-terminal.ts';

const SHELL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGKILL: 137 } as const;
type Signal = keyof typeof SHELL_STATUS;
const WAIT = { timeout: 30_000, interval: 100 };

describe('a signal in a wrapped session of the real Codex', () => {
  const lab = new CodexLab();
  beforeAll(() => lab.start());
  afterAll(() => lab.stop());

  interface Started {
    terminal: CodexTerminal;
    row: number;
    server: number;
    tui: number;
  }

  /** A wrapped session that has had a turn, or has one waiting for approval. */
  async function started(waiting: boolean): Promise<Started> {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped();
    await lab.reach('idle', row);
    if (waiting) {
      await terminal.enter('ask for approval');
      await terminal.see(APPROVAL);
      await lab.reach('waiting_for_permission', row);
    } else {
      await terminal.enter('say hello');
      await lab.reach('idle done', row);
    }
    return {
      terminal,
      row,
      server: pidOf(terminal, 'app-server --listen'),
      tui: pidOf(terminal, '--remote unix://'),
    };
  }

  function pidOf(terminal: CodexTerminal, words: string): number {
    const socket = `codex-wrap-${terminal.pid}.sock`;
    const found = lab.home
      .processes()
      .find(({ command }) => command.includes(words) && command.includes(socket));
    if (found === undefined) throw new Error(`no process runs with ${words} ${socket}`);
    return found.pid;
  }

  const processesOf = (terminal: CodexTerminal) =>
    lab.home.processes().filter(({ command }) => command.includes(`codex-wrap-${terminal.pid}.sock`));

  /** Nothing of this session runs, and nothing of it lies around. */
  async function expectNothingLeft(terminal: CodexTerminal): Promise<void> {
    await vi.waitFor(() => expect(processesOf(terminal)).toEqual([]), WAIT);
    await vi.waitFor(() => expect(lab.leftFiles()).toEqual([]), WAIT);
  }

  async function expectTerminalRestored(terminal: CodexTerminal): Promise<void> {
    await vi.waitFor(() => expect(terminal.isOnAlternateScreen).toBe(false), WAIT);
    expect(terminal.modes).toEqual({ bracketedPaste: false, mouse: false, focus: false });
    expect(terminal.output).toContain('\x1b]7501;state=clear\x1b\\');
  }

  describe.each([
    ['at rest', false],
    ['with an open approval', true],
  ] as const)('%s', (_, waiting) => {
    it.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGKILL'] as const)(
      'that ends the interface ends the session: %s',
      async (signal: Signal) => {
        const { terminal, row, tui } = await started(waiting);
        process.kill(tui, signal);
        expect((await terminal.exited).code).toBe(SHELL_STATUS[signal]);
        await lab.reach('ended', row);
        await expectTerminalRestored(terminal);
        await expectNothingLeft(terminal);
      },
    );

    it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
      'for the wrapper ends both: %s',
      async (signal: Signal) => {
        const { terminal, row } = await started(waiting);
        process.kill(terminal.pid, signal);
        expect((await terminal.exited).code).toBe(SHELL_STATUS[signal]);
        await lab.reach('ended', row);
        await expectTerminalRestored(terminal);
        await expectNothingLeft(terminal);
      },
    );

    it('that kills the server ends the session, while the interface waits for it', async () => {
      const { terminal, row, server } = await started(waiting);
      process.kill(server, 'SIGKILL');
      await lab.reach('ended', row, 10_000);
      await terminal.see(/Reconnecting to server/);
      expect(terminal.hasExited).toBe(false);
      process.kill(terminal.pid, 'SIGTERM');
      await terminal.exited;
      await vi.waitFor(() => expect(processesOf(terminal)).toEqual([]), WAIT);
      const locks = lab.leftFiles();
      // A killed Codex leaves its thread lock, unlocked: that one is not ours.
      expect(locks.every((name) => name.endsWith('.lock') && !name.includes('codex-wrap'))).toBe(true);
      lab.removeThreadLocks();
    });

    it('that kills the wrapper leaves nothing once the next one has run', async () => {
      const { terminal, row } = await started(waiting);
      process.kill(terminal.pid, 'SIGKILL');
      await terminal.exited;
      await sleep(500);
      const next = await lab.wrapped();
      await lab.reach('ended', row, 60_000);
      await next.enter('/exit');
      await next.exited;
      await expectNothingLeft(terminal);
      await expectNothingLeft(next);
    });
  });

  it('for the server asks it to stop: at rest it does', async () => {
    const { terminal, row, server } = await started(false);
    process.kill(server, 'SIGTERM');
    await lab.reach('ended', row, 10_000);
    await terminal.see(/Reconnecting to server/);
    process.kill(terminal.pid, 'SIGTERM');
    await terminal.exited;
    await expectNothingLeft(terminal);
  });

  it('before the interface is there ends everything', async () => {
    const terminal = await lab.wrapped([], null);
    await vi.waitFor(() => expect(processesOf(terminal)).toHaveLength(1), { timeout: 20_000, interval: 5 });
    process.kill(terminal.pid, 'SIGINT');
    expect((await terminal.exited).code).toBe(SHELL_STATUS.SIGINT);
    await expectNothingLeft(terminal);
  });
});
