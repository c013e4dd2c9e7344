/** Modes that are on by themselves: the cursor is shown, long lines wrap. */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set(['7', '25']);
/** More private modes than there are; a hostile program may name any number. */
const MODES_LIMIT = 128;
const DEEPEST_KEYBOARD_STACK = 16;

/**
 * Keypad keys, character set, colours and scroll margins as they are by default. They are not followed one by one: a
 * program that changes modes changes these too. Taking margins away moves the cursor, which is put back.
 */
const DEFAULTS = '\x1b>\x1b(B\x0f\x1b[0m\x1b7\x1b[r\x1b8';

/**
 * Which modes a program has changed on its terminal. A program that is killed cannot put them back, so whoever stands
 * around it has to.
 */
export class TerminalModes {
  readonly #changed = new Set<string>();
  #keyboardDepth = 0;
  #modifiesKeys = false;

  /** Takes a control sequence with private parameters. */
  take(parameters: string, final: string): void {
    const kind = parameters.charAt(0);
    const rest = parameters.slice(1);
    if (kind === '?' && (final === 'h' || final === 'l')) this.#private(rest, final === 'h');
    else if (kind === '>' && final === 'u')
      this.#keyboardDepth = Math.min(this.#keyboardDepth + 1, DEEPEST_KEYBOARD_STACK);
    else if (kind === '<' && final === 'u')
      this.#keyboardDepth = Math.max(0, this.#keyboardDepth - Number(rest || 1));
    else if (kind === '>' && final === 'm' && rest.startsWith('4'))
      this.#modifiesKeys = !/^4(;0?)?$/.test(rest);
  }

  /** What puts every changed mode back, or an empty text. */
  undo(): string {
    const keyboard = this.#keyboardDepth > 0 ? `\x1b[<${this.#keyboardDepth}u` : '';
    const keys = this.#modifiesKeys ? '\x1b[>4;0m' : '';
    const modes = [...this.#changed].map((mode) => `\x1b[?${mode}${ON_BY_DEFAULT.has(mode) ? 'h' : 'l'}`);
    const undone = keyboard + keys + modes.join('');
    return undone === '' ? '' : undone + DEFAULTS;
  }

  #private(list: string, on: boolean): void {
    for (const mode of list.split(';')) {
      if (!/^\d{1,5}$/.test(mode)) continue;
      if (on === ON_BY_DEFAULT.has(mode)) this.#changed.delete(mode);
      else if (this.#changed.size < MODES_LIMIT) this.#changed.add(mode);
    }
  }
}
