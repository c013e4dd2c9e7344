import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Catalog } from '../../../catalog/catalog.ts';
import { openCatalog } from '../../../catalog/open-catalog.ts';
import type { Surroundings } from '../../../contract/paths.ts';

/** When every made-up session is said to have happened, unless the test says otherwise. */
export const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const MINUTE = 60_000;

export interface MadeSession {
  id?: string;
  cwd?: string;
  prompts?: string[];
  /** Of the last line, ms since 1970. */
  at?: number;
  /** The file's own time; default the last line's. */
  writtenAt?: number;
}

/** A throw-away home with sessions written by hand, in the agents' own formats. */
export class TestHome {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-catalog-'));

  get around(): Surroundings {
    return {
      env: { HOME: this.dir },
      platform: process.platform,
      home: this.dir,
      uid: process.getuid?.() ?? 0,
    };
  }

  /** The catalog of this home at noon. */
  catalog(options: { wall?: number; cache?: boolean; env?: Record<string, string> } = {}): Promise<Catalog> {
    const around = { ...this.around, env: { ...this.around.env, ...options.env } };
    return openCatalog({
      around,
      config: { workspaceRoots: [], workRefRules: undefined, cache: options.cache ?? false },
      wall: () => options.wall ?? NOON,
      socket: path.join(this.dir, 'no-daemon.sock'),
    });
  }

  file(...parts: string[]): string {
    const file = path.join(this.dir, ...parts);
    mkdirSync(path.dirname(file), { recursive: true });
    return file;
  }

  write(relative: string, text: string | Buffer, writtenAt = NOON): string {
    const file = this.file(relative);
    writeFileSync(file, text);
    utimesSync(file, writtenAt / 1000, writtenAt / 1000);
    return file;
  }

  /** Returns the session's id. */
  claude(made: MadeSession & { lines?: object[] } = {}): string {
    const { id = randomUUID(), cwd = '/src/shop', prompts = ['Fix the till.'], at = NOON - MINUTE } = made;
    const common = { sessionId: id, cwd, isSidechain: false, entrypoint: 'cli', gitBranch: 'main' };
    const lines = made.lines ?? [
      ...prompts.map((text, index) => typed(text, at - (prompts.length - index) * MINUTE)),
      answer('Done.', at),
    ];
    this.write(
      path.join('.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`),
      jsonl(lines.map((line) => ({ ...common, ...line }))),
      made.writtenAt ?? at,
    );
    return id;
  }

  codex(made: MadeSession & { meta?: object; archived?: boolean; lines?: object[] } = {}): string {
    const { id = randomUUID(), cwd = '/src/shop', prompts = ['Fix the till.'], at = NOON - MINUTE } = made;
    const started = at - (prompts.length + 1) * MINUTE;
    const stamp = new Date(started).toISOString().slice(0, 19);
    const name = `rollout-${stamp.replaceAll(':', '-')}-${id}.jsonl`;
    const folder = made.archived
      ? '.codex/archived_sessions'
      : path.join('.codex/sessions', ...stamp.slice(0, 10).split('-'));
    const records = [
      record(started, 'session_meta', {
        id,
        timestamp: new Date(started).toISOString(),
        cwd,
        source: 'cli',
        git: {},
        ...made.meta,
      }),
      ...(made.lines ?? [
        ...prompts.map((text, index) =>
          record(at - (prompts.length - index) * MINUTE, 'event_msg', userMessage(text)),
        ),
        record(at, 'event_msg', { type: 'task_complete' }),
      ]),
    ];
    this.write(path.join(folder, name), jsonl(records), made.writtenAt ?? at);
    return id;
  }

  pi(made: MadeSession & { header?: object } = {}): string {
    const { id = randomUUID(), cwd = '/src/shop', prompts = ['Fix the till.'], at = NOON - MINUTE } = made;
    const started = at - (prompts.length + 1) * MINUTE;
    const time = new Date(started).toISOString();
    const records = [
      { type: 'session', version: 3, id, timestamp: time, cwd, ...made.header },
      ...prompts.map((text, index) => ({
        type: 'message',
        timestamp: new Date(at - (prompts.length - index) * MINUTE).toISOString(),
        message: { role: 'user', content: [{ type: 'text', text }] },
      })),
      { type: 'message', timestamp: new Date(at).toISOString(), message: { role: 'assistant', content: [] } },
    ];
    const folder = `--${cwd.slice(1).replaceAll('/', '-')}--`;
    this.write(
      path.join('.pi/agent/sessions', folder, `${time.replace(/[:.]/g, '-')}_${id}.jsonl`),
      jsonl(records),
      made.writtenAt ?? at,
    );
    return id;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A prompt typed in Claude's terminal. */
export function typed(text: string, at: number): object {
  return {
    type: 'user',
    promptSource: 'typed',
    origin: { kind: 'human' },
    timestamp: new Date(at).toISOString(),
    message: { role: 'user', content: text },
  };
}

/** An answer of Claude's. */
export function answer(text: string, at: number): object {
  return {
    type: 'assistant',
    timestamp: new Date(at).toISOString(),
    message: { role: 'assistant', content: [{ type: 'text', text }] },
  };
}

/** One line of a rollout. */
export function record(at: number, type: string, payload: object): object {
  return { timestamp: new Date(at).toISOString(), type, payload };
}

/** What Codex records of a typed prompt. */
export function userMessage(text: string): object {
  return { type: 'item_completed', item: { type: 'UserMessage', content: [{ type: 'text', text }] } };
}

export function jsonl(records: readonly object[]): string {
  return records.map((line) => `${JSON.stringify(line)}\n`).join('');
}
