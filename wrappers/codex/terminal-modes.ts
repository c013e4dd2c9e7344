import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

/**
 * Undoes what a terminal interface switches on: mouse, focus and paste reporting, keyboard protocols, the alternate
 * screen, a hidden cursor, its title and its program status.
 */
export const RESET_SEQUENCE = [
  '\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l',
  '\x1b[<1u\x1b[?2026l\x1b[?1049l\x1b[<1u\x1b[<u\x1b[>4;0m',
  '\x1b[?2004l\x1b[?1004l\x1b[?1l\x1b>\x1b[0 q\x1b[?25h\x1b[0m',
  '\x1b]0;\x07\x1b]7501;state=clear\x1b\\',
].join('');

const STTY_TIMEOUT_MS = 1_000;

/** Runs `stty` on this process's terminal. Resolves with its output, or undefined when it fails or is not there. */
function stty(args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('stty', args, { stdio: ['inherit', 'pipe', 'ignore'], timeout: STTY_TIMEOUT_MS });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? output.trim() : undefined));
  });
}

/**
 * The terminal's modes as they were before the interface started. A killed interface restores nothing, so whoever
 * started it has to.
 */
export class TerminalModes {
  readonly #saved: Promise<string | undefined>;

  /** Remembers the modes; does not wait for them. */
  constructor() {
    this.#saved = stty(['-g']);
  }

  /** Puts everything back. Never fails: the terminal may be gone. */
  async restore(): Promise<void> {
    try {
      writeSync(1, RESET_SEQUENCE);
    } catch {
      // Hung up.
    }
    const saved = await this.#saved;
    await stty(saved === undefined ? ['sane'] : [saved]);
  }
}
