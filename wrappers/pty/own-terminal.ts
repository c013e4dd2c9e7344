import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Size } from './pty-process.ts';

const STTY_TIMEOUT_MS = 2_000;
/** Used where a terminal does not tell its size. */
const USUAL_SIZE: Size = { columns: 80, rows: 24 };

/** Runs `stty` on this process's terminal. Returns its output, or undefined when it failed. */
function stty(args: readonly string[]): string | undefined {
  const ran = spawnSync('stty', args, {
    stdio: ['inherit', 'pipe', 'ignore'],
    timeout: STTY_TIMEOUT_MS,
    encoding: 'latin1',
  });
  return ran.status === 0 ? ran.stdout.trim() : undefined;
}

/**
 * The user's terminal. Node's own raw mode leaves output processing on, which would add a carriage return to each line
 * feed of the program, so `stty` sets the modes.
 */
export class OwnTerminal {
  /** What the user types. */
  readonly input: ReadStream;
  /** What the user sees. A stream of its own: the ones of the runtime block the whole process while nobody reads. */
  readonly output: ReadStream;
  readonly #saved: string;
  #raw = false;

  private constructor(saved: string) {
    this.#saved = saved;
    this.input = new ReadStream(0);
    this.output = new ReadStream(1);
    for (const stream of [this.input, this.output]) stream.on('error', () => {});
  }

  /** The terminal of this process, or undefined when its modes cannot be read: then it cannot be put back either. */
  static open(): OwnTerminal | undefined {
    const saved = stty(['-g']);
    return saved === undefined ? undefined : new OwnTerminal(saved);
  }

  get size(): Size {
    const { columns, rows } = process.stdout;
    return columns > 0 && rows > 0 ? { columns, rows } : USUAL_SIZE;
  }

  /** Told whenever the window has another size. */
  onResize(listener: (size: Size) => void): void {
    process.stdout.on('resize', () => listener(this.size));
  }

  /** Looks the size up again: a window that was resized while we were stopped in the background told nobody. */
  refreshSize(): void {
    process.emit('SIGWINCH', 'SIGWINCH');
  }

  /** Every key and every byte passes as it is from now on. */
  enterRaw(): void {
    this.#raw = true;
    stty(['raw', '-echo', '-iexten']);
  }

  /** Puts the modes back as they were found. Never fails: the terminal may be gone. */
  restore(): void {
    if (!this.#raw) return;
    this.#raw = false;
    stty([this.#saved]);
  }

  /** Writes at once, past the stream; for the last moment. */
  writeNow(text: string): void {
    try {
      if (text !== '') writeSync(1, text);
    } catch {
      // Hung up, or nobody reads.
    }
  }
}
