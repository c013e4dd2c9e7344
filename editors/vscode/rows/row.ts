import type { SessionEntry } from '../../../contract/messages.ts';
import type { CueColor } from '../cues/decoration.ts';
import type { Tally } from '../cues/tally.ts';

export type RowKind = 'repository' | 'worktree' | 'session';

/** One row of the tree as plain data. Two rows that say the same are drawn once. */
export interface Row {
  /** Stays the same while the repository, worktree or session does. */
  id: string;
  kind: RowKind;
  label: string;
  description: string;
  tooltip: string;
  /** Name of a VS Code product icon. */
  icon: string;
  iconColor?: CueColor;
  /** The row's cues as the query of its URI. */
  cues?: string;
}

/** A whole tree. */
export interface RowModel {
  rows: ReadonlyMap<string, Row>;
  roots: readonly string[];
  children: ReadonlyMap<string, readonly string[]>;
  parents: ReadonlyMap<string, string>;
  /** The entry behind a session row. */
  sessions: ReadonlyMap<string, SessionEntry>;
  /** Every live session of the machine, those without a directory too. */
  total: Tally;
}

export const EMPTY_MODEL: RowModel = {
  rows: new Map(),
  roots: [],
  children: new Map(),
  parents: new Map(),
  sessions: new Map(),
  total: { working: 0, waiting: 0, idle: 0 },
};

/** Which rows have to be drawn again. */
export type RowChanges = 'all' | readonly string[];

function sameList(left: readonly string[] = [], right: readonly string[] = []): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function sameRow(left: Row, right: Row): boolean {
  return (
    left.label === right.label &&
    left.description === right.description &&
    left.tooltip === right.tooltip &&
    left.icon === right.icon &&
    left.iconColor === right.iconColor &&
    left.cues === right.cues
  );
}

/**
 * The rows whose text, icon, cues or list of children differ; new rows are not among them, since drawing their parent
 * draws them. `all` when the top level itself differs; empty when nothing does.
 */
export function changedRows(before: RowModel, after: RowModel): RowChanges {
  if (!sameList(before.roots, after.roots)) return 'all';
  const changed: string[] = [];
  for (const [id, row] of after.rows) {
    const old = before.rows.get(id);
    if (old === undefined) continue;
    const moved = before.parents.get(id) !== after.parents.get(id);
    const same = sameRow(old, row) && sameList(before.children.get(id), after.children.get(id));
    if (!same && !moved) changed.push(id);
  }
  return changed;
}
