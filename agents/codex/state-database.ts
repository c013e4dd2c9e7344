import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtinModule } from '../../contract/builtin-module.ts';
import { asText } from '../files/jsonl-window.ts';

/** What Codex's own index says about a thread. */
export interface ThreadRow {
  /** Given by a person or by Codex. */
  name: string | undefined;
  firstPrompt: string | undefined;
  cwd: string | undefined;
  /** True for a thread that another thread or the server started. */
  isSubagent: boolean;
  archived: boolean;
  gitUrl: string | undefined;
  gitBranch: string | undefined;
}

/** Why the database was not used; `absent` and `unsupported` are no failures. */
export type DatabaseOutcome =
  | { kind: 'read'; threads: Map<string, ThreadRow> }
  | { kind: 'absent' }
  | { kind: 'unsupported' }
  | { kind: 'failed'; file: string; reason: string };

/** Texts longer than this are cut by the database, so that one row stays small. */
const TEXT_LIMIT = 2_000;
/** How long a writer is waited for. */
const BUSY_MS = 100;

/**
 * Reads the threads from `state_<n>.sqlite`, the highest n, read-only. Needs `node:sqlite` (Node 22.5 and newer).
 *
 * @param folder where the database lies: `CODEX_SQLITE_HOME`, else `CODEX_HOME`
 */
export function readThreadRows(folder: string): DatabaseOutcome {
  const file = newestDatabase(folder);
  if (file === undefined) return { kind: 'absent' };
  const Database = sqliteDatabase();
  if (Database === undefined) return { kind: 'unsupported' };
  let database: Database | undefined;
  try {
    database = new Database(locationOf(file), { readOnly: true, timeout: BUSY_MS });
    return { kind: 'read', threads: selectThreads(database) };
  } catch (error) {
    return { kind: 'failed', file, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    database?.close();
  }
}

function newestDatabase(folder: string): string | undefined {
  let best: { name: string; version: number } | undefined;
  for (const name of namesOf(folder)) {
    const version = Number(/^state_(\d+)\.sqlite$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isSafeInteger(version) && version >= (best?.version ?? 0)) best = { name, version };
  }
  return best === undefined ? undefined : path.join(folder, best.name);
}

function namesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * A database nobody has open is opened as immutable: SQLite would otherwise put its side files next to it, and nothing
 * of ours writes to an agent's folder.
 */
function locationOf(file: string): string | URL {
  if (fs.existsSync(`${file}-wal`)) return file;
  const location = pathToFileURL(file);
  location.searchParams.set('immutable', '1');
  return location;
}

/** The columns wanted, in the order of {@link toRow}; a version of Codex without one of them gives null. */
const COLUMNS = [
  'id',
  'name',
  'title',
  'first_user_message',
  'cwd',
  'source',
  'thread_source',
  'archived',
  'git_origin_url',
  'git_branch',
] as const;
type Columns = Record<(typeof COLUMNS)[number], unknown>;

function selectThreads(database: Database): Map<string, ThreadRow> {
  const known = new Set(
    database
      .prepare('PRAGMA table_info(threads)')
      .all()
      .map((column) => column.name),
  );
  const list = COLUMNS.map((name) =>
    known.has(name) ? `substr("${name}", 1, ${TEXT_LIMIT}) AS "${name}"` : `NULL AS "${name}"`,
  );
  const rows = database.prepare(`SELECT ${list.join(', ')} FROM threads`).all() as unknown as Columns[];
  return new Map(
    rows.flatMap((row) => {
      const id = asText(row.id);
      return id === undefined ? [] : [[id.toLowerCase(), toRow(row)] as const];
    }),
  );
}

function toRow(row: Columns): ThreadRow {
  const title = asText(row.title);
  const firstPrompt = asText(row.first_user_message);
  const isRenamed = title !== undefined && firstPrompt !== undefined && !firstPrompt.startsWith(title);
  return {
    name: asText(row.name) ?? (isRenamed ? title : undefined),
    firstPrompt,
    cwd: asText(row.cwd),
    isSubagent:
      isObjectText(row.source) || ['subagent', 'guardian_review'].includes(String(row.thread_source)),
    archived: String(row.archived) === '1',
    gitUrl: asText(row.git_origin_url),
    gitBranch: asText(row.git_branch),
  };
}

/** `source` is a word for threads that people lead, a JSON object for the others. */
function isObjectText(source: unknown): boolean {
  return typeof source === 'string' && source.startsWith('{');
}

/** The part of `node:sqlite` used here; its types are not those of the oldest supported Node. */
interface Database {
  prepare(sql: string): { all(): Record<string, unknown>[] };
  close(): void;
}
type DatabaseConstructor = new (
  location: string | URL,
  options: { readOnly: boolean; timeout: number },
) => Database;

/** The database class, or undefined where this Node has none. Its notice of being experimental is not for our users. */
function sqliteDatabase(): DatabaseConstructor | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return (builtinModule('node:sqlite') as { DatabaseSync?: DatabaseConstructor }).DatabaseSync;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
