import { toRows } from '../row.ts';
import type { Format } from './names.ts';
import { starshipText } from './starship.ts';
import { tmuxText } from './tmux.ts';
import { waybarLine } from './waybar.ts';
import { xbarLines } from './xbar.ts';

export interface FormatSurroundings {
  nowMs: number;
  /** Path of the `omni-dev` command that a menu may run. */
  command: string;
}

/** A snapshot in the syntax of a surface, without a final newline. */
export function formatSnapshot(format: Format, payload: unknown, around: FormatSurroundings): string {
  const rows = toRows(payload);
  switch (format) {
    case 'tmux':
      return tmuxText(rows);
    case 'xbar':
      return xbarLines(rows, around.command).join('\n');
    case 'waybar':
      return waybarLine(rows, around.nowMs);
    case 'starship':
      return starshipText(rows);
  }
}
