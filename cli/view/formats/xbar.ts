import { byAttention } from '../attention-order.ts';
import { cellText } from '../cells.ts';
import type { Row } from '../row.ts';
import { TRAY_EMPTY, TRAY_TITLE, trayText } from '../tray.ts';
import { countsText } from './counts.ts';

/** Switches off what xbar and SwiftBar would make of a text: emoji codes, ANSI colours, symbols. */
const PLAIN = 'emojize=false ansi=false symbolize=false';
/** Ids that may stand in a menu's parameters as they are. */
const SAFE_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** Paths that may stand between double quotes in a menu's parameters. */
const SAFE_PATH = /^\/[^"|\\\n\r]*$/;

/**
 * A menu of xbar or SwiftBar: the counts in the menu bar, below them the sessions menu with its title. A session in an
 * editor window can be brought to the front.
 *
 * @param command path of the `omni-dev` command that the menu may run
 */
export function xbarLines(rows: readonly Row[], command: string): string[] {
  const head = `${countsText(rows) || '◦'} | ${PLAIN}`;
  const items = byAttention(rows).map((row) => itemLine(row, command));
  const none = `${TRAY_EMPTY} | ${PLAIN}`;
  return [
    head,
    '---',
    `${TRAY_TITLE} | ${PLAIN}`,
    ...(items.length === 0 ? [none] : items),
    '---',
    'Refresh | refresh=true',
  ];
}

function itemLine(row: Row, command: string): string {
  const text = `${xbarEscape(trayText(row))} | ${PLAIN} trim=false`;
  if (!row.inWindow || !SAFE_ID.test(row.id) || !SAFE_PATH.test(command)) return text;
  return `${text} bash="${command}" param1=sessions param2=focus param3=${row.id} terminal=false refresh=true`;
}

/** A bar begins the parameters of a line, and there is no way to write one as text. */
export function xbarEscape(text: string): string {
  return cellText(text).replaceAll('|', '¦');
}
