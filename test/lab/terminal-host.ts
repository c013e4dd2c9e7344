import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import type { SessionState } from '../../contract/events.ts';
import type { ExitStatus } from './capture.ts';
import { type AnnouncedState, ProgramStatusReader } from './program-status.ts';
import type { Launch } from './stream-host.ts';

const COLUMNS = 120;
const ROWS = 40;
const OSC = /\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g;
const CURSOR_MOVES = /\x1b\[\d*[CG]/g;
const CONTROL_SEQUENCES = /\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]/g;
/** The agent asks whether this terminal understands program status, and the answer that says so. */
const STATUS_QUERY = '\x1b]7501;?\x07';
const STATUS_ANSWER = '\x1b]7501;?\x1b\\';

/** What a terminal shows, roughly: the text without the sequences that place and colour it. */
export function plainText(text: string): string {
  return text.replace(OSC, '').replace(CURSOR_MOVES, ' ').replace(CONTROL_SEQUENCES, '');
}

/** A person at a terminal: starts a program in a PTY, types, and reads the screen. */
export class TerminalHost {
  readonly pty: IPty;
  readonly exited: Promise<ExitStatus>;
  #text = '';
  #mark = 0;
  #cursor = 0;
  #exit: ExitStatus | undefined;
  readonly #status = new ProgramStatusReader();

  /** Answers the agent's question for program status, so that it announces its states, unless told not to. */
  constructor(launch: Launch, options: { programStatus?: boolean } = {}) {
    this.pty = spawn(launch.command, launch.args, {
      name: 'xterm-256color',
      cols: COLUMNS,
      rows: ROWS,
      cwd: launch.cwd,
      env: launch.env,
    });
    this.pty.onData((data) => {
      this.#text += data;
      this.#status.push(data);
      if (options.programStatus !== false && data.includes(STATUS_QUERY)) this.pty.write(STATUS_ANSWER);
    });
    this.exited = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => {
        this.#exit = { code: exitCode, signal: null };
        resolve(this.#exit);
      });
    });
  }

  get exit(): ExitStatus | undefined {
    return this.#exit;
  }

  /** States that the agent announced so far. */
  get announced(): readonly AnnouncedState[] {
    return this.#status.states;
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  /** Everything shown so far, for the report of a failed run. */
  screenText(): string {
    return plainText(this.#text);
  }

  /** Resolves with true when the agent announces `state`, counted from the last one awaited; false when it did not. */
  awaitStatus(state: SessionState, timeoutMs: number): Promise<boolean> {
    return this.#poll(timeoutMs, () => {
      const at = this.announced.findIndex((seen, index) => index >= this.#cursor && seen.state === state);
      if (at === -1) return false;
      this.#cursor = at + 1;
      return true;
    });
  }

  /** Resolves with true when text shown since the last match fits; false when it did not within `timeoutMs`. */
  awaitScreen(pattern: string, timeoutMs: number): Promise<boolean> {
    const wanted = new RegExp(pattern);
    return this.#poll(timeoutMs, () => {
      if (!wanted.test(plainText(this.#text.slice(this.#mark)))) return false;
      this.#mark = this.#text.length;
      return true;
    });
  }

  async #poll(timeoutMs: number, condition: () => boolean): Promise<boolean> {
    for (const until = Date.now() + timeoutMs; Date.now() < until && this.#exit === undefined; ) {
      if (condition()) return true;
      await sleep(50);
    }
    return false;
  }
}
