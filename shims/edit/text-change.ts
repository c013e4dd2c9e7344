/** One replacement in a text: at `offset` the characters `removed` give way to `inserted`. */
export interface TextChange {
  offset: number;
  removed: string;
  inserted: string;
}

/** The text after one change. */
export function applyChange(text: string, change: TextChange): string {
  return text.slice(0, change.offset) + change.inserted + text.slice(change.offset + change.removed.length);
}

/**
 * Takes changes back, the last one first, or returns undefined where the text is not the one they led to.
 *
 * @param changes in the order in which they were made.
 */
export function revertChanges(text: string, changes: readonly TextChange[]): string | undefined {
  let current = text;
  for (const { offset, removed, inserted } of changes.toReversed()) {
    if (current.slice(offset, offset + inserted.length) !== inserted) return undefined;
    current = applyChange(current, { offset, removed: inserted, inserted: removed });
  }
  return current;
}
