import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import type { Launch } from './stream-host.ts';

const COLUMNS = 120;
const ROWS = 40;
/** What a program wrote last may be read and drawn after it is known to have exited. */
const LAST_WORDS_MS = 2_000;

/** A person at a terminal that draws a screen: types, presses keys and reads what is shown. */
export class CodexTerminal {
  readonly pty: IPty;
  /** Exit code, and the number of the signal that ended the program (0 for none). */
  readonly exited: Promise<{ code: number; signal: number }>;
  readonly #screen = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 1_000,
    allowProposedApi: true,
  });
  #exit: { code: number; signal: number } | undefined;
  #exitedAt = 0;
  #output = '';

  constructor({ command, args, cwd, env }: Launch) {
    this.pty = spawn(command, args, { name: 'xterm-256color', cols: COLUMNS, rows: ROWS, cwd, env });
    this.#screen.onData((answer) => {
      if (this.#exit === undefined) this.pty.write(answer);
    });
    this.pty.onData((data) => {
      this.#output += data;
      this.#screen.write(data);
    });
    this.exited = new Promise((resolve) => {
      this.pty.onExit(({ exitCode, signal }) => {
        this.#exit = { code: exitCode, signal: signal ?? 0 };
        this.#exitedAt = Date.now();
        resolve(this.#exit);
      });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /** Path of the terminal. */
  name(): string {
    const name = execFileSync('ps', ['-o', 'tty=', '-p', `${this.pid}`], { encoding: 'utf8' });
    return `/dev/${name.trim()}`;
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  /** Every byte written to the terminal. */
  get output(): string {
    return this.#output;
  }

  /** True while the alternate screen shows. */
  get isOnAlternateScreen(): boolean {
    return this.#screen.buffer.active.type === 'alternate';
  }

  /** Modes that a program may leave behind. */
  get modes(): { bracketedPaste: boolean; mouse: boolean; focus: boolean } {
    const { bracketedPasteMode, mouseTrackingMode, sendFocusMode } = this.#screen.modes;
    return { bracketedPaste: bracketedPasteMode, mouse: mouseTrackingMode !== 'none', focus: sendFocusMode };
  }

  /** What the terminal shows now, without trailing blanks, scrolled-off lines included. */
  text(): string {
    const buffer = this.#screen.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < buffer.length; row += 1) {
      lines.push(buffer.getLine(row)?.translateToString(true) ?? '');
    }
    return lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd();
  }

  /** Resolves when the screen fits; throws with what it shows when it does not in time. */
  async see(pattern: RegExp, withinMs = 30_000): Promise<number> {
    for (let until = Date.now() + withinMs; Date.now() < until; await sleep(20)) {
      if (pattern.test(this.text())) return Date.now();
      if (this.#exit !== undefined) until = Math.min(until, this.#exitedAt + LAST_WORDS_MS);
    }
    throw new Error(`the terminal never showed ${pattern}:\n${this.text().slice(-4_000)}`);
  }

  press(keys: string): void {
    this.pty.write(keys);
  }

  /**
   * Types a line as a person would: Enter when the line is on the screen and a moment has passed, since Codex takes a
   * burst of keys that ends in Enter for a paste.
   */
  async enter(text: string): Promise<void> {
    this.pty.write(text);
    await this.see(new RegExp(`› ${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
    await sleep(400);
    this.pty.write('\r');
  }

  /** Ends the program if it still runs. */
  async close(): Promise<void> {
    if (this.#exit === undefined) {
      this.pty.kill('SIGKILL');
      await this.exited;
    }
    this.#screen.dispose();
  }
}
