import { createScanner } from 'jsonc-parser';

// Values of jsonc-parser's ambient `const enum`s, which isolated modules cannot read.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const BLANKS = 15;
const END_OF_FILE = 17;
const NO_PROBLEM = 0;

/** What stands after a member of an object or array, up to the next line or the next thing that means something. */
export interface Following {
  /** Offset of the member's comma, if it has one. */
  comma: number | undefined;
  /** End of the last comment that stands behind the member on its line; without one, the end of member or comma. */
  end: number;
  /** Offset of the line break that ends the member's line, or undefined where something else follows first. */
  lineBreak: number | undefined;
}

/** Reads on from the end of a member. */
export function readFollowing(text: string, memberEnd: number): Following {
  const scanner = createScanner(text, false);
  scanner.setPosition(memberEnd);
  const following: Following = { comma: undefined, end: memberEnd, lineBreak: undefined };
  for (;;) {
    const kind: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    if (kind === COMMA && following.comma === undefined) {
      following.comma = offset;
      following.end = offset + 1;
      following.lineBreak = undefined;
    } else if (kind === LINE_COMMENT || kind === BLOCK_COMMENT) {
      // A comment on a later line belongs to what comes after.
      if (following.lineBreak === undefined) following.end = offset + scanner.getTokenLength();
    } else if (kind === LINE_BREAK) {
      following.lineBreak ??= offset;
      if (following.comma !== undefined) return following;
    } else if (kind !== BLANKS) return following;
  }
}

/** End of the last comment in `text` between two offsets, or undefined when there is none. */
export function lastCommentEnd(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end: number | undefined;
  while (scanner.getPosition() < to) {
    const kind: number = scanner.scan();
    if (scanner.getTokenLength() === 0) break;
    if (kind === LINE_COMMENT || kind === BLOCK_COMMENT)
      end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return end;
}

/** True when the text holds nothing but blanks, line breaks and comments. */
export function isOnlyTrivia(text: string): boolean {
  const scanner = createScanner(text, true);
  const first: number = scanner.scan();
  const problem: number = scanner.getTokenError();
  return first === END_OF_FILE && problem === NO_PROBLEM;
}
