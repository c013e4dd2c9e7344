import { type Row, toRows } from './row.ts';

/** Title of the sessions menu. */
export const TRAY_TITLE = 'Agent Sessions';

/** Text of an empty menu. */
export const TRAY_EMPTY = 'No active sessions';

/** One line of the menu: an action where the session's window can be brought to the front, else a plain label. */
export type TrayItem = { type: 'action'; id: string; text: string } | { type: 'label'; text: string };

const AGENT_NAMES: Record<Row['agent'], string> = { claude: 'Claude', codex: 'Codex', pi: 'pi' };

/** The menu of the contract: `<Agent> · <name> <glyph> <word>` per session, in the daemon's order. */
export function trayItems(payload: unknown): TrayItem[] {
  const rows = toRows(payload);
  if (rows.length === 0) return [{ type: 'label', text: TRAY_EMPTY }];
  return rows.map((row) => {
    const text = trayText(row);
    return row.inWindow ? { type: 'action', id: `focus:${row.id}`, text } : { type: 'label', text };
  });
}

/** The text of one session in a menu. */
export function trayText(row: Row): string {
  return `${AGENT_NAMES[row.agent]} · ${row.name} ${row.look.glyph} ${row.look.word}`;
}
