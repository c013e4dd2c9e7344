import * as pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { OMNI_DEV, REPOSITORY } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  cwd?: string;
}

/** A program in a real terminal: a PTY whose output a terminal emulator draws. */
export class TerminalProgram {
  readonly #pty: pty.IPty;
  readonly #terminal: xterm.Terminal;
  /** Everything that was written, as it came. */
  raw = '';
  exit: { exitCode: number; signal: number | undefined } | undefined;

  constructor(file: string, args: string[], options: TerminalOptions = {}) {
    const { columns: cols = 80, rows = 24 } = options;
    this.#terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
    this.#pty = pty.spawn(file, args, {
      cols,
      rows,
      cwd: options.cwd ?? REPOSITORY,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#terminal.write(data);
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.exit = { exitCode, signal };
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** The text on the screen, a line each, without trailing blanks. */
  lines(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      (buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  text(): string {
    return this.lines().join('\n');
  }

  /** True while the alternate screen is shown. */
  get alternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Waits until the screen's text is as the test wants it. */
  async shows(wanted: string | RegExp | ((text: string) => boolean)): Promise<string> {
    const matches = () => {
      const text = this.text();
      if (typeof wanted === 'string') return text.includes(wanted);
      return typeof wanted === 'function' ? wanted(text) : wanted.test(text);
    };
    await until(matches, () => `the screen never showed ${String(wanted)}; it shows:\n${this.text()}`);
    return this.text();
  }

  async exits(): Promise<{ exitCode: number; signal: number | undefined }> {
    await until(
      () => this.exit !== undefined,
      () => `the program goes on; the screen shows:\n${this.text()}`,
    );
    return this.exit ?? { exitCode: -1, signal: undefined };
  }

  /** Ends what still runs. */
  async dispose(): Promise<void> {
    if (this.exit === undefined) {
      this.#pty.kill('SIGKILL');
      await this.exits();
    }
    this.#terminal.dispose();
  }
}

/** The built command line in a terminal. */
export function omniDev(args: string[], options: TerminalOptions = {}): TerminalProgram {
  return new TerminalProgram(process.execPath, [OMNI_DEV, ...args], options);
}
