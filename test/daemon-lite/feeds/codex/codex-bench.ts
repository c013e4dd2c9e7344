import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type LockReading, lockFolder, type ThreadLock } from '../../../../agents/codex/thread-locks.ts';
import type { SessionEntry } from '../../../../contract/messages.ts';
import { Log } from '../../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../../daemon-lite/diagnostics/log-filter.ts';
import { SessionRegistry } from '../../../../daemon-lite/registry/registry.ts';
import { Ingest } from '../../../../daemon-lite/server/ingest.ts';

export const THREAD = '01a22c03-a6f6-7a30-8d8c-4942b79706f9';

/** A Codex home of files in a throw-away folder, a registry, and time that a test moves. */
export class CodexBench {
  readonly codexHome = mkdtempSync(path.join(os.tmpdir(), 'codex-feed-'));
  readonly clock = { wall: () => Date.now() + this.later, awake: () => this.later };
  readonly registry = new SessionRegistry({ clock: this.clock });
  readonly ingest = new Ingest(this.registry, { nameFor: () => undefined });
  readonly lines: string[] = [];
  readonly log = new Log(parseLogFilter('debug'), (line) => this.lines.push(line)).target(
    'omni_dev::sessions',
  );
  readonly #locks = new Map<string, ThreadLock>();
  later = 0;
  supported = true;

  /** The path of a thread's rollout that began on a day. */
  rollout(threadId = THREAD, day = '2026/11/30'): string {
    return path.join(
      this.codexHome,
      'sessions',
      day,
      `rollout-${day.replaceAll('/', '-')}T10-00-00-${threadId}.jsonl`,
    );
  }

  /** Writes a rollout that begins with its `session_meta`. */
  write(file: string, payload: Record<string, unknown> = {}, lines: string[] = []): string {
    mkdirSync(path.dirname(file), { recursive: true });
    const id = /([0-9a-f-]{36})\.jsonl/.exec(file)?.[1];
    const meta = {
      timestamp: new Date().toISOString(),
      ordinal: 0,
      type: 'session_meta',
      payload: { id, cwd: '/p', source: 'cli', ...payload },
    };
    writeFileSync(file, `${[JSON.stringify(meta), ...lines].join('\n')}\n`);
    return file;
  }

  append(file: string, ...lines: string[]): void {
    appendFileSync(file, `${lines.join('\n')}\n`);
  }

  /** A record of a turn's start or end. */
  turn(type: string, at = this.clock.wall(), more: object = {}): string {
    return JSON.stringify({
      timestamp: new Date(at).toISOString(),
      ordinal: 1,
      type: 'event_msg',
      payload: { type, ...more },
    });
  }

  age(file: string, ms: number): void {
    const at = (this.clock.wall() - ms) / 1_000;
    utimesSync(file, at, at);
  }

  lock(threadId: string, state: ThreadLock['state'] | 'absent', more: Partial<ThreadLock> = {}): void {
    if (state === 'absent') this.#locks.delete(threadId);
    else this.#locks.set(threadId, { state, holder: 4242, madeAt: this.clock.wall(), ...more });
  }

  get reading(): LockReading {
    return { supported: this.supported, locks: new Map(this.#locks) };
  }

  /** A lock file on disk, for tests that read it. */
  lockFile(threadId: string): string {
    mkdirSync(lockFolder(this.codexHome), { recursive: true });
    const file = path.join(lockFolder(this.codexHome), `${threadId}.lock`);
    writeFileSync(file, '');
    return file;
  }

  remove(file: string): void {
    unlinkSync(file);
  }

  row(threadId = THREAD): SessionEntry | undefined {
    return this.registry.list().find(({ session_id }) => session_id === threadId);
  }

  /** State and outcome as a word: `idle`, `idle done`, `none`. */
  state(threadId = THREAD): string {
    const row = this.row(threadId);
    return row === undefined ? 'none' : [row.state, row.outcome].filter(Boolean).join(' ');
  }

  close(): void {
    rmSync(this.codexHome, { recursive: true, force: true });
  }
}
