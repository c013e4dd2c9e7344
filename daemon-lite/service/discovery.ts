import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../contract/version.ts';

/** What a running daemon says of itself, where every environment finds it. */
export interface DaemonRecord {
  pid: number;
  socket: string;
  version: string;
  /** RFC 3339, UTC. */
  started_at: string;
}

/**
 * `~/.omni-dev/daemons/<pid>.json`: independent of the variables that move the socket (XDG_DATA_HOME, `--socket`), so
 * that a daemon started under another environment can be found.
 */
export function daemonRecordsDir(home: string): string {
  return path.join(home, '.omni-dev', 'daemons');
}

/** Records this daemon and forgets those whose process is gone. Fails silently: nothing depends on it to run. */
export function writeDaemonRecord(home: string, record: Omit<DaemonRecord, 'version'>): () => void {
  const directory = daemonRecordsDir(home);
  const file = path.join(directory, `${record.pid}.json`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const other of readDaemonRecords(home)) if (!isAlive(other.pid)) remove(home, other.pid);
    writeFileSync(file, `${JSON.stringify({ ...record, version: VERSION })}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written costs `doctor` the view of stray daemons.
  }
  return () => remove(home, record.pid);
}

/** Every daemon that recorded itself, dead ones included. Files that are no such record are passed over. */
export function readDaemonRecords(home: string): DaemonRecord[] {
  const directory = daemonRecordsDir(home);
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => readRecord(path.join(directory, name)))
    .filter((record) => record !== undefined);
}

function readRecord(file: string): DaemonRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is DaemonRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'socket' in value &&
    typeof value.socket === 'string' &&
    'version' in value &&
    typeof value.version === 'string' &&
    'started_at' in value &&
    typeof value.started_at === 'string'
  );
}

function remove(home: string, pid: number): void {
  try {
    unlinkSync(path.join(daemonRecordsDir(home), `${pid}.json`));
  } catch {
    // Already gone.
  }
}

/** True while a process has this pid, whoever owns it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
