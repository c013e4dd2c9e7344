import type { SessionEntry } from '../../../contract/messages.ts';
import type { Row, RowModel } from './row.ts';

/** Collects rows with their places in the tree. Parents are added before their children. */
export class TreeBuilder {
  readonly #rows = new Map<string, Row>();
  readonly #roots: string[] = [];
  readonly #children = new Map<string, string[]>();
  readonly #sessions = new Map<string, SessionEntry>();
  readonly #parents = new Map<string, string>();

  /** Adds a row under `parent`, or at the top. */
  add(parent: string | undefined, row: Row): void {
    this.#rows.set(row.id, row);
    if (parent === undefined) {
      this.#roots.push(row.id);
      return;
    }
    this.#parents.set(row.id, parent);
    const siblings = this.#children.get(parent);
    if (siblings === undefined) this.#children.set(parent, [row.id]);
    else siblings.push(row.id);
  }

  addSession(parent: string, row: Row, session: SessionEntry): void {
    this.add(parent, row);
    this.#sessions.set(row.id, session);
  }

  model(total: RowModel['total']): RowModel {
    return {
      rows: this.#rows,
      roots: this.#roots,
      children: this.#children,
      parents: this.#parents,
      sessions: this.#sessions,
      total,
    };
  }
}
