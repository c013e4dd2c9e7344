/** A key by name, or the character it types. */
export type Key = string;

const NAMED: Record<string, Key> = {
  '\u0003': 'ctrl-c',
  '\u001a': 'ctrl-z',
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[F': 'end',
  '\u001bOH': 'home',
  '\u001bOF': 'end',
  '\u001b[1~': 'home',
  '\u001b[4~': 'end',
};

/** An escape sequence, or one character. */
const TOKEN = /\u001b\[[0-9;?<>=]*[ -/]*[@-~]|\u001bO.|./gsu;

/**
 * The keys in one read of the keyboard. A terminal sends a key's sequence in one piece, so an escape character alone is
 * the Escape key. Sequences and control characters that mean nothing here are passed over.
 */
export function readKeys(input: string): Key[] {
  return [...input.matchAll(TOKEN)].flatMap(([token]) => {
    const named = NAMED[token];
    if (named !== undefined) return [named];
    return /^[\u0000-\u001f\u007f-\u009f]/.test(token) ? [] : [token];
  });
}
