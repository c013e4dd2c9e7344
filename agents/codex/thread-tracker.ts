import type { Outcome, SessionState } from '../../contract/events.ts';
import type { CodexThread, ThreadPush, ThreadStatus } from './protocol.ts';

/** What one session is doing, folded from its own thread and the subagents that work for it. */
export interface SessionReading {
  sessionId: string;
  state: Exclude<SessionState, 'starting' | 'ended'>;
  /** How the last turn ended; only in `idle`, and only when it is known. */
  outcome: Outcome | undefined;
  cwd: string | undefined;
  model: string | undefined;
  transcriptPath: string | undefined;
  /** Subagents of this session that are working or waiting. */
  subagents: number;
}

export type SessionChange = { kind: 'state'; reading: SessionReading } | { kind: 'ended'; sessionId: string };

interface TrackedThread {
  /** Undefined while only its status is known: a push names no more than an id. */
  thread: CodexThread | undefined;
  status: ThreadStatus | undefined;
  /** Number of the last push about it. */
  pushed: number;
  outcome: Outcome | undefined;
}

type ReadState = SessionReading['state'];

/** From least to most important: a wait anywhere in a session's tree is the session's, then work. */
const BY_IMPORTANCE: readonly ReadState[] = [
  'idle',
  'working',
  'waiting_for_input',
  'waiting_for_permission',
];

function stateOf(status: ThreadStatus): ReadState {
  if (status.type !== 'active') return 'idle';
  if (status.waitingOnApproval) return 'waiting_for_permission';
  return status.waitingOnUserInput ? 'waiting_for_input' : 'working';
}

/**
 * Derives the state of every session of one app-server from pushes and reads. Pure: no clock, no IO.
 *
 * Pushes and answers travel on one connection, but an answer may have been made before a push that overtook it. So the
 * caller takes a {@link mark} when it sends a request and hands it back with the answer: a thread that was pushed since
 * keeps what the push said.
 */
export class ThreadTracker {
  readonly #threads = new Map<string, TrackedThread>();
  readonly #told = new Map<string, string>();
  /** Numbers of the pushes that took threads away, for as long as an older answer may still be on its way. */
  readonly #gone = new Map<string, number>();
  #pushes = 0;
  #unknownWords = 0;

  /** To be taken when a request leaves. */
  mark(): number {
    return this.#pushes;
  }

  /** Statuses and flags that were not understood so far. */
  get unknownWords(): number {
    return this.#unknownWords;
  }

  /** Takes one push of the server. */
  push(push: ThreadPush): SessionChange[] {
    this.#pushes += 1;
    if (push.kind === 'gone' || (push.kind === 'status' && push.status?.type === 'notLoaded')) {
      this.#gone.set(push.threadId, this.#pushes);
      return this.#remove(push.threadId);
    }
    const id = push.kind === 'started' ? push.thread.id : push.threadId;
    const entry = this.#entry(id);
    entry.pushed = this.#pushes;
    if (push.kind === 'started') entry.thread = push.thread;
    return this.#apply(id, entry, push.kind === 'started' ? push.thread.status : push.status);
  }

  /** Takes the answer to a `thread/read` that was sent at `mark`. */
  read(mark: number, thread: CodexThread): SessionChange[] {
    if ((this.#gone.get(thread.id) ?? 0) > mark) return [];
    const entry = this.#entry(thread.id);
    entry.thread = thread;
    const overtaken = entry.pushed > mark && entry.status !== undefined;
    return this.#apply(thread.id, entry, overtaken ? entry.status : thread.status);
  }

  /** Takes the whole loaded list that was asked for at `mark`: threads that are not on it any more have ended. */
  loaded(mark: number, ids: readonly string[]): SessionChange[] {
    for (const [id, number] of this.#gone) if (number <= mark) this.#gone.delete(id);
    const present = new Set(ids.filter((id) => !this.#gone.has(id)));
    for (const id of present) this.#entry(id);
    const gone = [...this.#threads]
      .filter(([id, entry]) => !present.has(id) && entry.pushed <= mark)
      .map(([id]) => id);
    return gone.flatMap((id) => this.#remove(id));
  }

  /** Says how the session's last turn ended, as found out elsewhere. Ignored unless it is idle without an outcome. */
  ended(sessionId: string, outcome: Outcome): SessionChange[] {
    const entry = this.#threads.get(sessionId);
    if (entry?.status?.type !== 'idle' || entry.outcome !== undefined) return [];
    entry.outcome = outcome;
    return this.#tell(sessionId);
  }

  /** Threads of which only an id is known: they need a `thread/read`. */
  unidentified(): string[] {
    return [...this.#threads].filter(([, entry]) => entry.thread === undefined).map(([id]) => id);
  }

  /** Threads whose state a person may be looking at right now: not idle. They are read in every round. */
  busy(): string[] {
    return [...this.#threads].filter(([, entry]) => entry.status?.type === 'active').map(([id]) => id);
  }

  /** Every known thread id. */
  ids(): string[] {
    return [...this.#threads.keys()];
  }

  /** Threads that have a parent: an observer has to unsubscribe from them, once each. */
  children(): string[] {
    return [...this.#threads]
      .filter(([, { thread }]) => thread?.parentId !== undefined || thread?.role === 'subagent')
      .map(([id]) => id);
  }

  /** The present reading of every session. */
  readings(): SessionReading[] {
    return [...this.#threads.keys()].flatMap((id) => this.reading(id) ?? []);
  }

  /** The present reading of one session, or undefined when there is no such session. */
  reading(sessionId: string): SessionReading | undefined {
    const entry = this.#threads.get(sessionId);
    const { thread, status } = entry ?? {};
    if (entry === undefined || thread?.role !== 'session' || status === undefined) return undefined;
    const helpers = this.#statusesOfSubagents(sessionId);
    const importance = [status, ...helpers].map((one) => BY_IMPORTANCE.indexOf(stateOf(one)));
    const state = BY_IMPORTANCE[Math.max(...importance)] ?? 'idle';
    return {
      sessionId,
      state,
      outcome: state === 'idle' ? entry.outcome : undefined,
      cwd: thread.cwd,
      model: thread.model,
      transcriptPath: thread.path,
      subagents: helpers.filter((one) => one.type === 'active').length,
    };
  }

  #entry(id: string): TrackedThread {
    let entry = this.#threads.get(id);
    if (entry === undefined) {
      entry = { thread: undefined, status: undefined, pushed: 0, outcome: undefined };
      this.#threads.set(id, entry);
    }
    return entry;
  }

  #apply(id: string, entry: TrackedThread, status: ThreadStatus | undefined): SessionChange[] {
    if (status === undefined) {
      this.#unknownWords += 1;
      return this.#tellSessionOf(id);
    }
    if (status.type === 'notLoaded') return this.#remove(id);
    this.#unknownWords += status.unknownFlags;
    if (status.type === 'active') entry.outcome = undefined;
    if (status.type === 'systemError') entry.outcome = 'failed';
    entry.status = status;
    return this.#tellSessionOf(id);
  }

  #remove(id: string): SessionChange[] {
    const entry = this.#threads.get(id);
    if (entry === undefined) return [];
    const rootId = entry.thread === undefined ? id : this.#rootOf(entry.thread);
    this.#threads.delete(id);
    if (rootId !== id) return this.#tell(rootId);
    return this.#told.delete(id) ? [{ kind: 'ended', sessionId: id }] : [];
  }

  #tellSessionOf(id: string): SessionChange[] {
    const thread = this.#threads.get(id)?.thread;
    return thread === undefined || thread.role === 'side' ? [] : this.#tell(this.#rootOf(thread));
  }

  /** The session's reading as a change, when it differs from the last one told. */
  #tell(sessionId: string): SessionChange[] {
    const reading = this.reading(sessionId);
    if (reading === undefined) return [];
    const text = JSON.stringify(reading);
    if (this.#told.get(sessionId) === text) return [];
    this.#told.set(sessionId, text);
    return [{ kind: 'state', reading }];
  }

  #statusesOfSubagents(rootId: string): ThreadStatus[] {
    return [...this.#threads.values()].flatMap(({ thread, status }) =>
      thread?.role === 'subagent' && this.#rootOf(thread) === rootId && status !== undefined ? [status] : [],
    );
  }

  /** The session a subagent works for: its root, or the root of its root where only parents are known. */
  #rootOf(thread: CodexThread): string {
    let rootId = thread.rootId;
    for (const seen = new Set([thread.id]); !seen.has(rootId); ) {
      seen.add(rootId);
      const above = this.#threads.get(rootId)?.thread;
      if (above === undefined || above.role !== 'subagent') break;
      rootId = above.rootId;
    }
    return rootId;
  }
}
