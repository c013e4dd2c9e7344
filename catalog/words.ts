import type { Session } from './session.ts';

/** More words than a person types: a bound against pasted texts. */
const MOST_WORDS = 12;

/** The words of a query, in lower case. */
export function queryWords(query: string): string[] {
  return query.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

/** The text of a session that is searched: title, prompts, repository, directory. Lower case. */
export function searchText(session: Session): string {
  return [session.title, ...session.recentPrompts, session.repository, session.cwd, session.gitBranch]
    .filter(Boolean)
    .join('\n')
    .normalize('NFC')
    .toLowerCase();
}

/** True when every word stands in the text. */
export function hasEveryWord(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** True when a work item's id stands in what the listing knows of a session: title, prompts, branch, directory. */
export function mentionsWork(session: Session, id: string): boolean {
  const text = searchText(session);
  const wanted = id.toLowerCase();
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + wanted.length] ?? ' ');
    if (!/[\p{L}\d_]/u.test(around)) return true;
  }
  return false;
}
