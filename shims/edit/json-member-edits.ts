import type { Node } from 'jsonc-parser';
import { lastCommentEnd, readFollowing } from './json-trivia.ts';
import type { TextChange } from './text-change.ts';
import {
  indentationAt,
  lineStart,
  renderBlock,
  renderInline,
  startsItsLine,
  type TextLayout,
} from './text-layout.ts';

const endOf = (node: Node): number => node.offset + node.length;

/** Makes the text of a member or item out of the text of its value. */
type AsMember = (renderedValue: string) => string;

/**
 * The changes that add a member at the end of an object or array: on a line of its own where the last member has one,
 * behind the last one where all stand on one line. Comments stay with the members they follow.
 */
export function insertion(
  text: string,
  container: Node,
  asMember: AsMember,
  value: unknown,
  layout: TextLayout,
): TextChange[] {
  const last = container.children?.at(-1);
  if (last === undefined) return intoEmpty(text, container, asMember, value, layout);
  const following = readFollowing(text, endOf(last));
  const missingComma = following.comma === undefined;
  if (!startsItsLine(text, last.offset)) {
    const member = asMember(renderInline(value));
    if (missingComma) return [insert(endOf(last), `, ${member}`)];
    return [insert((following.comma ?? 0) + 1, ` ${member},`)];
  }
  const indent = indentationAt(text, last.offset);
  const member = asMember(renderBlock(value, layout, indent));
  if (!missingComma) return [insert(following.end, `${layout.eol}${indent}${member},`)];
  const line = `${layout.eol}${indent}${member}`;
  if (following.end === endOf(last)) return [insert(following.end, `,${line}`)];
  return [insert(endOf(last), ','), insert(following.end, line)];
}

function intoEmpty(
  text: string,
  container: Node,
  asMember: AsMember,
  value: unknown,
  layout: TextLayout,
): TextChange[] {
  const outer = indentationAt(text, container.offset);
  const indent = outer + layout.indent;
  const line = layout.eol + indent + asMember(renderBlock(value, layout, indent));
  const open = container.offset + 1;
  const close = endOf(container) - 1;
  const from = lastCommentEnd(text, open, close) ?? open;
  const rest = text.slice(from, close);
  if (from !== open && rest.includes('\n')) return [insert(from, line)];
  return [{ offset: from, removed: rest, inserted: line + layout.eol + outer }];
}

/** The changes that take a member out of its object or array. */
export function removal(text: string, container: Node, member: Node): TextChange[] {
  const siblings = container.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const following = readFollowing(text, endOf(member));
  const changes = [cut(text, ...extent(text, siblings, member, following.comma))];
  if (following.comma === undefined) {
    const orphan = previous && readFollowing(text, endOf(previous)).comma;
    if (orphan !== undefined) changes.push(cut(text, orphan, orphan + 1));
  } else if (!isBlank(text.slice(endOf(member), following.comma))) {
    changes.push(cut(text, following.comma, following.comma + 1));
  }
  return changes;
}

/** From where to where a member goes: with its comma, and with the blanks and the line break that were only there for it. */
function extent(
  text: string,
  siblings: readonly Node[],
  member: Node,
  comma: number | undefined,
): [number, number] {
  const withComma = comma !== undefined && isBlank(text.slice(endOf(member), comma));
  const end = withComma ? comma + 1 : endOf(member);
  const afterBlanks = end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
  if (startsItsLine(text, member.offset)) {
    const endsLine = afterBlanks === text.length || /^\r?\n/.test(text.slice(afterBlanks, afterBlanks + 2));
    return endsLine ? [lineBreakBefore(text, member.offset), afterBlanks] : [member.offset, end];
  }
  const isLastOfSeveral = siblings.length > 1 && member === siblings.at(-1);
  return isLastOfSeveral
    ? [member.offset - blanksBefore(text, member.offset), end]
    : [member.offset, afterBlanks];
}

function blanksBefore(text: string, offset: number): number {
  return /[ \t]*$/.exec(text.slice(lineStart(text, offset), offset))?.[0].length ?? 0;
}

/** Offset of the line break before the line that holds `offset`, or the start of the text. */
function lineBreakBefore(text: string, offset: number): number {
  const start = lineStart(text, offset);
  if (start === 0) return 0;
  return text[start - 2] === '\r' ? start - 2 : start - 1;
}

const isBlank = (text: string): boolean => /^\s*$/.test(text);

function insert(offset: number, inserted: string): TextChange {
  return { offset, removed: '', inserted };
}

function cut(text: string, from: number, to: number): TextChange {
  return { offset: from, removed: text.slice(from, to), inserted: '' };
}
