import { existsSync } from 'node:fs';
import { asList, asObject, asText } from '../../agents/files/jsonl-window.ts';
import { type Feed, isFeed, isSessionState } from '../../contract/events.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { ABSENT, type Liveness, running, UNKNOWN } from './liveness.ts';

/** The daemon is asked on the way: a busy one is not waited for. */
const ANSWER_MS = 250;

/** Feeds that stand inside the agent's own protocol or read its own record of what lives. */
const PROVING_FEEDS: ReadonlySet<Feed> = new Set([
  'claude_stream',
  'codex_server',
  'terminal_status',
  'pi_extension',
  'claude_record',
  'thread_lock',
]);

/** What the daemon's registry says about running sessions, by session id. */
export class RegistryWords {
  readonly #words: ReadonlyMap<string, Liveness>;

  constructor(words: ReadonlyMap<string, Liveness> = new Map()) {
    this.#words = words;
  }

  /** Asks the daemon. Without one, or without a usable answer, nothing is known. Never fails. */
  static async ask(socket: string): Promise<RegistryWords> {
    // Without a daemon, which is the rule here, what talks to one is not even loaded.
    if (!existsSync(socket)) return new RegistryWords();
    try {
      const { sendRequest } = await import('../../contract/client.ts');
      const reply = await sendRequest(socket, sessionsRequest('list'), { timeoutMs: ANSWER_MS });
      const rows = reply.ok ? asList(asObject(reply.payload)?.sessions) : [];
      return new RegistryWords(new Map(rows.flatMap((row) => wordOf(asObject(row)) ?? [])));
    } catch {
      return new RegistryWords();
    }
  }

  /** Absent also for a session the registry does not know: its word alone never keeps one from being resumed. */
  liveness(sessionId: string): Liveness {
    return this.#words.get(sessionId) ?? ABSENT;
  }
}

/** An inferred row (hooks, growth of a file) is a reason to doubt, not a proof. */
function wordOf(row: Record<string, unknown> | undefined): [string, Liveness][] | undefined {
  const id = asText(row?.session_id);
  const state = row?.state;
  if (id === undefined || !isSessionState(state) || state === 'ended') return undefined;
  const isProof = isFeed(row?.feed) && PROVING_FEEDS.has(row.feed) && row.stale !== true;
  return [[id, isProof ? running({ source: 'registry', state }) : UNKNOWN]];
}
