import type { EndLimits, TimedPrompt } from '../../agents/files/ends-of-session.ts';
import type { SessionRecord, TitleSource } from '../session.ts';
import { cutGraphemes, oneLine } from '../text.ts';

/** Graphemes kept of a title and of a prompt. */
export const TITLE_LIMIT = 120;
export const PROMPT_LIMIT = 200;

/** How much of a session's file a listing reads. Holds whatever the length of the file. */
export const LISTING_LIMITS: EndLimits = {
  headBytes: 262_144,
  tailBytes: 1_048_576,
  titleBytes: 65_536,
  prompts: 3,
};

/** A fork's first own line and its first own prompt carry clocks of different parts of the agent. */
const FORK_SLACK_MS = 2_000;

/**
 * A history of typed prompts counts only where it is later than the session's own file by more than this: it writes the
 * same moment a little later, or in whole seconds.
 */
export const HISTORY_SLACK_MS = 1_000;

/** The best title there is, first come first. */
export function bestTitle(
  ...choices: [text: string | undefined, source: TitleSource][]
): Pick<SessionRecord, 'title' | 'titleSource'> {
  for (const [text, titleSource] of choices) {
    const title = cutGraphemes(oneLine(text ?? ''), TITLE_LIMIT);
    if (title !== '') return { title, titleSource };
  }
  return {};
}

/**
 * The prompts as the catalog shows them. A fork begins with a copy of its parent's prompts: those belong to the parent,
 * and are shown only while the fork has none of its own.
 *
 * @param forkedAt ms since 1970 when this session was forked, or undefined when it is no fork
 */
export function promptFields(
  prompts: readonly TimedPrompt[],
  forkedAt: number | undefined,
): Pick<SessionRecord, 'recentPrompts' | 'lastHumanActivityAt'> {
  const own = prompts.filter(
    ({ at, inherited }) =>
      inherited !== true && (forkedAt === undefined || at === undefined || at >= forkedAt - FORK_SLACK_MS),
  );
  const times = own.flatMap(({ at }) => at ?? []);
  const shown = (own.length > 0 ? own : prompts)
    .map(({ text }) => cutGraphemes(text.trim(), PROMPT_LIMIT))
    .filter((text) => text !== '')
    .slice(-LISTING_LIMITS.prompts);
  return times.length === 0
    ? { recentPrompts: shown }
    : { recentPrompts: shown, lastHumanActivityAt: Math.max(...times) };
}
