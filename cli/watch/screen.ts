import type { OutputStream } from '../context.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
/** Terminals that know it show everything between the two at once; the others ignore it. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const RESET = '\u001b[0m';

/**
 * The alternate screen of a terminal. Writes only lines that changed since the last drawing, so that nothing flickers
 * and a slow line carries little. While the terminal takes no more, frames are skipped, never queued.
 */
export class Screen {
  readonly #stream: OutputStream;
  readonly #onReady: () => void;
  #shown: string[] | undefined;
  #active = false;
  #blocked = false;

  /** @param onReady called when a terminal that had blocked takes output again: draw the latest frame then */
  constructor(stream: OutputStream, onReady: () => void) {
    this.#stream = stream;
    this.#onReady = onReady;
  }

  get active(): boolean {
    return this.#active;
  }

  enter(): void {
    if (this.#active) return;
    this.#active = true;
    this.#shown = undefined;
    this.#stream.write(ENTER);
  }

  /** Gives the terminal back as it was: screen, cursor, wrapping. Safe to call more than once. */
  leave(): void {
    if (!this.#active) return;
    this.#active = false;
    this.#stream.write(RESET + LEAVE);
  }

  /** Forgets what is shown: after a resize every line is written again. */
  invalidate(): void {
    this.#shown = undefined;
  }

  draw(lines: readonly string[]): void {
    if (!this.#active || this.#blocked) return;
    const update = changes(this.#shown, lines);
    if (update === '') return;
    this.#shown = [...lines];
    if (!this.#stream.write(BEGIN_UPDATE + update + END_UPDATE)) this.#waitForDrain();
  }

  #waitForDrain(): void {
    this.#blocked = true;
    this.#stream.once('drain', () => {
      this.#blocked = false;
      this.#onReady();
    });
  }
}

/** The bytes that turn the shown lines into the wanted ones; '' when nothing differs. */
export function changes(shown: readonly string[] | undefined, wanted: readonly string[]): string {
  let update = shown === undefined ? `${RESET}\u001b[2J` : '';
  for (const [index, line] of wanted.entries()) {
    if (shown?.[index] === line) continue;
    update += `\u001b[${index + 1};1H${line}${RESET}\u001b[K`;
  }
  for (let index = wanted.length; index < (shown?.length ?? 0); index += 1) {
    update += `\u001b[${index + 1};1H\u001b[K`;
  }
  return update;
}
