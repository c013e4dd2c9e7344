/** How a JSON text is laid out, as far as an edit has to imitate it. */
export interface TextLayout {
  /** One step of indentation: a tab, or some spaces. */
  indent: string;
  /** Line break of the text. */
  eol: '\n' | '\r\n';
}

/** Indentation of files that show none of their own. */
export const DEFAULT_INDENT = '  ';

const FIRST_INDENTED_LINE = /(?:^|\n)([ \t]+)[^ \t\r\n/*]/;

/** Reads the layout off a text: its first line break and its first indented line decide. */
export function detectLayout(text: string): TextLayout {
  const newline = text.indexOf('\n');
  const eol = newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
  return { eol, indent: detectIndent(text) };
}

function detectIndent(text: string): string {
  const found = FIRST_INDENTED_LINE.exec(text)?.[1];
  if (found === undefined) return DEFAULT_INDENT;
  // Mixed or very deep first lines say nothing about one step.
  if (found.startsWith('\t')) return '\t';
  return found.includes('\t') || found.length > 8 ? DEFAULT_INDENT : found;
}

/** White space at the start of the line that holds `offset`. */
export function indentationAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  let end = start;
  while (end < offset && (text[end] === ' ' || text[end] === '\t')) end++;
  return text.slice(start, end);
}

/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** True when only blanks stand between the start of the line and `offset`. */
export function startsItsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/**
 * A value over several lines, laid out as `JSON.stringify` does it. Lines after the first are indented by
 * `outerIndent`.
 */
export function renderBlock(value: unknown, layout: TextLayout, outerIndent: string): string {
  return JSON.stringify(value, null, layout.indent).replaceAll('\n', layout.eol + outerIndent);
}

/** A value on one line, with a blank after each comma and colon. */
export function renderInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${renderInline(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
