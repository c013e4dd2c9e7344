import { byAttention } from '../attention-order.ts';
import { cellText } from '../cells.ts';
import { shortDuration } from '../duration.ts';
import type { Row } from '../row.ts';
import { TRAY_EMPTY, trayText } from '../tray.ts';
import { countsText, urgencyOf } from './counts.ts';

const MOST_IN_TOOLTIP = 30;

/**
 * One line of JSON for a custom module of waybar (`"return-type": "json"`): the counts, all sessions in the tooltip, and
 * a class to style by: `waiting`, `working`, `idle` or `none`.
 *
 * @param nowMs wall-clock milliseconds, for how long each one waits
 */
export function waybarLine(rows: readonly Row[], nowMs: number): string {
  const urgency = urgencyOf(rows);
  const sessions = byAttention(rows).map((row) => tooltipLine(row, nowMs));
  const more = sessions.length - MOST_IN_TOOLTIP;
  const shown = more > 0 ? [...sessions.slice(0, MOST_IN_TOOLTIP), `+${more}`] : sessions;
  const tooltip = shown.length === 0 ? TRAY_EMPTY : shown.join('\n');
  return JSON.stringify({ text: pangoEscape(countsText(rows)), alt: urgency, class: urgency, tooltip });
}

function tooltipLine(row: Row, nowMs: number): string {
  const since = row.since === undefined ? '' : ` ${shortDuration(nowMs - row.since)}`;
  return pangoEscape(cellText(`${trayText(row)}${since}`));
}

/** waybar reads texts as Pango markup. */
export function pangoEscape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
