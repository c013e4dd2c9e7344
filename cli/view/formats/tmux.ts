import { byAttention } from '../attention-order.ts';
import { cellText, cut } from '../cells.ts';
import type { Row } from '../row.ts';
import { type GroupCount, groupCounts, waitingNames } from './counts.ts';

const STYLES: Record<GroupCount['group'], string> = {
  waiting: '#[fg=red,bold]',
  working: '#[fg=green]',
  idle: '#[dim]',
};
const MOST_NAMES = 3;
const NAME_CELLS = 20;

/**
 * A piece of tmux's status line: `!1 shop ⚙2 ◦1` in tmux's own styles, for
 * `set -g status-right '#(omni-dev sessions list --format tmux)'`. Empty without sessions.
 */
export function tmuxText(rows: readonly Row[]): string {
  const names = waitingNames(byAttention(rows), MOST_NAMES).map((name) =>
    tmuxEscape(cut(cellText(name), NAME_CELLS)),
  );
  return groupCounts(rows)
    .map(({ group, glyph, count }) => {
      const who = group === 'waiting' ? ` ${names.join(' ')}` : '';
      return `${STYLES[group]}${glyph}${count}${who}#[default]`;
    })
    .join(' ');
}

/**
 * tmux expands `#` in what a command prints, and again when it draws styles; how often differs by version, so doubling
 * it is no escape. `%` begins a date in some versions.
 */
export function tmuxEscape(text: string): string {
  return text.replaceAll('#', '♯').replaceAll('%', '％');
}
