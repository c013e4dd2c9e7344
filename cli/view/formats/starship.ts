import { byAttention } from '../attention-order.ts';
import { cut } from '../cells.ts';
import type { Row } from '../row.ts';
import { groupCounts, waitingNames } from './counts.ts';

const MOST_NAMES = 2;
const NAME_CELLS = 16;
/** What no shell makes anything of when it expands a prompt. */
const UNSAFE_IN_PROMPT = /[^\p{L}\p{N} ._/+@,:-]/gu;

/**
 * A segment of a shell prompt, for a custom module of starship: `!1 shop ⚙2`. Idle sessions are not worth room in a
 * prompt. Empty when there is nothing to say.
 */
export function starshipText(rows: readonly Row[]): string {
  const names = waitingNames(byAttention(rows), MOST_NAMES).map((name) =>
    cut(promptEscape(name), NAME_CELLS),
  );
  return groupCounts(rows)
    .filter(({ group }) => group !== 'idle')
    .map(({ group, glyph, count }) => `${glyph}${count}${group === 'waiting' ? ` ${names.join(' ')}` : ''}`)
    .join(' ');
}

/**
 * Shells expand `$(…)`, backticks, `\`, `%` and `!` in prompts, each by its own rules and options: only letters, digits
 * and harmless signs pass.
 */
export function promptEscape(text: string): string {
  return text.replace(UNSAFE_IN_PROMPT, '_');
}
