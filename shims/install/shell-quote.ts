/** Characters that no POSIX shell gives a meaning of its own. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as it has to stand in a shell command: as it is where that is safe, else in single quotes. */
export function quoteWhereNeeded(word: string): string {
  return PLAIN.test(word) ? word : singleQuoted(word);
}

/** A word in single quotes, whatever it holds. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word in double quotes, whatever it holds. */
export function doubleQuoted(word: string): string {
  return `"${word.replace(/["$`\\]/g, '\\$&')}"`;
}
