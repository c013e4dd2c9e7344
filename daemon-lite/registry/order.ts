import type { SessionEntry } from '../../contract/messages.ts';

/** Compares two texts by code point, as the contract's order does, whatever the locale. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const a = [...left];
  const b = [...right];
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Order of `list`: by repository, unknown first, then by session id. */
export function compareEntries(left: SessionEntry, right: SessionEntry): number {
  if (left.repo !== right.repo) {
    if (left.repo === undefined) return -1;
    if (right.repo === undefined) return 1;
    return compareText(left.repo, right.repo);
  }
  return compareText(left.session_id, right.session_id);
}
