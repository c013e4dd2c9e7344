import { type ClientInfo, ObserverConnection } from './observer-connection.ts';
import { readThreadPush } from './protocol.ts';
import { type SessionChange, type SessionReading, ThreadTracker } from './thread-tracker.ts';
import type { TextTransport } from './transport.ts';
import { readTurnMark } from './turn-end.ts';

export interface ObserverHandlers {
  /** A session's state: new, changed, or said again so that nobody takes silence for an end. */
  state(reading: SessionReading): void;
  /** The server unloaded the session, or no longer has a session that was known before. */
  ended(sessionId: string): void;
  /** The connection was lost: what was reported is no longer known. Not called after `close`. */
  lost(): void;
}

export interface ThreadObserverOptions {
  transport: TextTransport;
  client: ClientInfo;
  handlers: ObserverHandlers;
  /** Sessions reported over an earlier connection: those the server no longer has are ended after the first pass. */
  known?: Iterable<string>;
  /** Pause between two passes in milliseconds; a few times that while a server that pushes is at rest. */
  passMs?: number;
  /** A session at rest is said again after this many milliseconds, any other after two seconds. */
  repeatMs?: number;
  readTurn?: typeof readTurnMark;
}

const PASS_MS = 1_000;
const REPEAT_MS = 20_000;
/** What a person may be looking at is right again this soon after the daemon was restarted. */
const BUSY_REPEAT_MS = 2_000;
/** A server that pushes is asked this much less often while nothing runs: the push comes first anyway. */
const REST_PASSES = 5;
/** An idle thread of a server that pushes is read in every such pass only. */
const IDLE_READ_PASSES = 10;
/** The first version that is known to push to clients that subscribed to nothing. */
const PUSHING_VERSION = [0, 171] as const;

function isPushing(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > PUSHING_VERSION[0] || (major === PUSHING_VERSION[0] && minor >= PUSHING_VERSION[1]);
}
/** Longest time an `idle` is held back to be told together with how the turn ended. */
const OUTCOME_WAIT_MS = 150;

/**
 * Watches one app-server over one connection: takes its pushes, reads every thread about once a second, and tells what
 * each session is doing. Leaves subagent threads at once, so that they unload as if nobody watched.
 */
export class ThreadObserver {
  readonly #options: ThreadObserverOptions;
  readonly #tracker = new ThreadTracker();
  readonly #connection: ObserverConnection;
  readonly #reading = new Set<string>();
  readonly #left = new Set<string>();
  /** Idle readings that wait for their outcome. */
  readonly #held = new Map<string, SessionReading>();
  readonly #toldAt = new Map<string, number>();
  readonly #known: Set<string>;
  #pushes = false;
  #resting = false;
  #passes = 0;
  #started = false;
  #over = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadObserverOptions) {
    this.#options = options;
    this.#known = new Set(options.known);
    this.#connection = new ObserverConnection(options.transport, {
      notification: (method, params) => this.#notified(method, params),
      // Whoever is sent requests about a thread is attached to it.
      dropped: (_, threadId) => threadId !== undefined && this.#leave(threadId),
      closed: () => this.#lost(),
    });
  }

  /** Statuses and flags that were not understood so far. */
  get unknownWords(): number {
    return this.#tracker.unknownWords;
  }

  /**
   * Says hello and makes the first pass. Resolves with the server's version once every loaded thread is known.
   *
   * @throws Error when the connection does not last that long; `lost` is not called then.
   */
  async start(): Promise<{ serverVersion: string | undefined }> {
    try {
      const hello = await this.#connection.initialize(this.#options.client);
      await this.#pass();
      this.#pushes = this.#pushes || isPushing(hello.serverVersion);
      const present = new Set(this.#tracker.ids());
      for (const sessionId of this.#known) {
        if (!present.has(sessionId)) this.#options.handlers.ended(sessionId);
      }
      this.#started = true;
      this.#schedule();
      return hello;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Ids of the sessions that the server has now. */
  sessionIds(): string[] {
    return this.#tracker.readings().map(({ sessionId }) => sessionId);
  }

  /** Hangs up. No handler is called afterwards. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#connection.close();
  }

  #lost(): void {
    if (this.#over) return;
    const wasStarted = this.#started;
    this.close();
    if (wasStarted) this.#options.handlers.lost();
  }

  #schedule(): void {
    if (this.#over) return;
    this.#resting = this.#isAtRest();
    const pause = (this.#options.passMs ?? PASS_MS) * (this.#resting ? REST_PASSES : 1);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#pass()
        .catch(() => this.#lost())
        .finally(() => this.#schedule());
    }, pause);
  }

  /** Nothing runs, and a server that pushes will say so when something does. */
  #isAtRest(): boolean {
    return this.#pushes && this.#tracker.busy().length === 0 && this.#tracker.unidentified().length === 0;
  }

  async #pass(): Promise<void> {
    const mark = this.#tracker.mark();
    const ids = await this.#connection.loadedThreads();
    if (this.#over) return;
    this.#take(this.#tracker.loaded(mark, ids));
    for (const id of this.#left) if (!ids.includes(id)) this.#left.delete(id);
    for (const id of this.#dueThreads()) await this.#read(id);
    this.#passes += 1;
    this.#repeat();
  }

  #dueThreads(): string[] {
    const all = this.#tracker.ids();
    if (!this.#pushes) return all;
    const urgent = new Set([...this.#tracker.busy(), ...this.#tracker.unidentified()]);
    return all.filter((id, index) => urgent.has(id) || (index + this.#passes) % IDLE_READ_PASSES === 0);
  }

  async #read(threadId: string): Promise<void> {
    if (this.#over || this.#reading.has(threadId)) return;
    this.#reading.add(threadId);
    try {
      const mark = this.#tracker.mark();
      const thread = await this.#connection.readThread(threadId);
      if (this.#over || thread?.id !== threadId) return;
      this.#take(this.#tracker.read(mark, thread));
    } finally {
      this.#reading.delete(threadId);
    }
  }

  #notified(method: string, params: unknown): void {
    if (this.#over) return;
    const push = readThreadPush(method, params);
    if (push === undefined) return;
    this.#pushes = true;
    this.#take(this.#tracker.push(push));
    // A subagent and a resumed thread are first heard of by a status that says nothing about them.
    for (const id of this.#tracker.unidentified()) this.#read(id).catch(() => {});
    if (this.#resting && !this.#isAtRest()) this.#schedule();
  }

  #take(changes: SessionChange[]): void {
    for (const change of changes) {
      if (change.kind === 'state') this.#report(change.reading);
      else this.#end(change.sessionId);
    }
    for (const id of this.#tracker.children()) {
      if (!this.#left.has(id)) this.#leave(id);
    }
  }

  #leave(threadId: string): void {
    this.#left.add(threadId);
    this.#connection.unsubscribe(threadId).catch(() => {});
  }

  #end(sessionId: string): void {
    this.#releaseHeld(sessionId);
    this.#toldAt.delete(sessionId);
    this.#options.handlers.ended(sessionId);
  }

  #report(reading: SessionReading): void {
    this.#releaseHeld(reading.sessionId);
    const mayHaveEnded = reading.state === 'idle' && reading.outcome === undefined;
    if (mayHaveEnded && reading.transcriptPath !== undefined) {
      this.#held.set(reading.sessionId, reading);
      void this.#findOutcome(reading, reading.transcriptPath);
    } else {
      this.#tell(reading);
    }
  }

  async #findOutcome(reading: SessionReading, rolloutPath: string): Promise<void> {
    const readTurn = this.#options.readTurn ?? readTurnMark;
    const tooLong = setTimeout(() => {
      if (this.#held.get(reading.sessionId) === reading) this.#releaseHeld(reading.sessionId);
    }, OUTCOME_WAIT_MS);
    const standing = (await readTurn(rolloutPath))?.standing;
    clearTimeout(tooLong);
    if (this.#over) return;
    const isStillIdle = this.#tracker.reading(reading.sessionId)?.state === 'idle';
    if (isStillIdle && standing !== undefined && standing !== 'running') {
      this.#held.delete(reading.sessionId);
      for (const change of this.#tracker.ended(reading.sessionId, standing)) {
        if (change.kind === 'state') this.#tell(change.reading);
      }
    }
    if (this.#held.get(reading.sessionId) === reading) this.#releaseHeld(reading.sessionId);
  }

  /** Tells an idle that was held back, as it is. */
  #releaseHeld(sessionId: string): void {
    const reading = this.#held.get(sessionId);
    if (reading === undefined) return;
    this.#held.delete(sessionId);
    this.#tell(reading);
  }

  #tell(reading: SessionReading): void {
    if (this.#over) return;
    this.#toldAt.set(reading.sessionId, performance.now());
    this.#options.handlers.state(reading);
  }

  #repeat(): void {
    const now = performance.now();
    for (const [sessionId, toldAt] of this.#toldAt) {
      const reading = this.#tracker.reading(sessionId);
      const isBusy = reading !== undefined && reading.state !== 'idle';
      const repeatMs = isBusy ? BUSY_REPEAT_MS : (this.#options.repeatMs ?? REPEAT_MS);
      if (reading !== undefined && now - toldAt >= repeatMs) this.#tell(reading);
    }
  }
}
