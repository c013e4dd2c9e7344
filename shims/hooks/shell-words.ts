/** One piece of a shell command: a word as the shell would pass it on, or an operator such as `&&` or `>`. */
export interface ShellPiece {
  text: string;
  isOperator: boolean;
}

const OPERATOR = /[;&|<>()\n]/;
const BLANK = /[ \t]/;

/**
 * Splits a command as a POSIX shell does, quotes removed. Variables stay as they are written: who reads a command to
 * recognise it does not run it. An open quote ends with the text.
 */
export function shellPieces(command: string): ShellPiece[] {
  const pieces: ShellPiece[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) pieces.push({ text: word, isOperator: false });
    word = undefined;
  };
  for (let at = 0; at < command.length; ) {
    const character = command[at] ?? '';
    if (BLANK.test(character) || OPERATOR.test(character)) {
      endWord();
      if (OPERATOR.test(character)) pieces.push({ text: character, isOperator: true });
      at++;
      continue;
    }
    const { text, next } = readPart(command, at);
    word = (word ?? '') + text;
    at = next;
  }
  endWord();
  return pieces;
}

/** Reads one quoted or plain part of a word from `at`. */
function readPart(command: string, at: number): { text: string; next: number } {
  const character = command[at] ?? '';
  if (character === "'") return readSingleQuoted(command, at + 1);
  if (character === '"') return readDoubleQuoted(command, at + 1);
  if (character === '\\') return { text: command[at + 1] ?? '', next: at + 2 };
  return { text: character, next: at + 1 };
}

function readSingleQuoted(command: string, from: number): { text: string; next: number } {
  const end = command.indexOf("'", from);
  const stop = end === -1 ? command.length : end;
  return { text: command.slice(from, stop), next: stop + 1 };
}

function readDoubleQuoted(command: string, from: number): { text: string; next: number } {
  let text = '';
  let at = from;
  for (; at < command.length && command[at] !== '"'; at++) {
    const escapes = command[at] === '\\' && /["\\$`\n]/.test(command[at + 1] ?? '');
    if (escapes) at++;
    text += command[at] ?? '';
  }
  return { text, next: at + 1 };
}
