import type { SessionState } from '../../../contract/events.ts';
import type { ObservePayload } from '../../../contract/messages.ts';
import type { ProcessFacts } from '../../../daemon-lite/registry/processes.ts';
import { SessionRegistry } from '../../../daemon-lite/registry/registry.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Which feeds the simulated processes have beside their live records. */
export interface SimulatedFeeds {
  hooks: boolean;
  stream: boolean;
}

/** One Claude process: what it really does. */
export interface SimulatedClaude {
  readonly pid: number;
  readonly startedAt: number;
  sessionId: string;
  state: Exclude<SessionState, 'starting'>;
  alive: boolean;
  statusAt: number;
  prompts: number;
}

interface Delivery {
  at: number;
  run: () => void;
}

const POLL_MS = 10_000;
const REASSERT_MS = 60_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Claude processes whose true states are known, and a registry that hears of them as it does on a machine: records and
 * streams in order and soon, asynchronous hooks late and in any order, polls of the process table.
 */
export class SimulatedMachine {
  readonly registry: SessionRegistry;
  readonly processes: SimulatedClaude[] = [];
  readonly #clock = new FakeClock();
  readonly #feeds: SimulatedFeeds;
  readonly #random: () => number;
  readonly #lastInOrder = new Map<string, number>();
  #deliveries: Delivery[] = [];
  #nextId = 1;
  #seq = 0;

  constructor(feeds: SimulatedFeeds, random: () => number) {
    this.#feeds = feeds;
    this.#random = random;
    this.registry = new SessionRegistry({
      clock: this.#clock,
      processes: { look: (pid) => this.#look(pid) },
    });
    this.#every(POLL_MS, () => this.#poll());
    this.#every(REASSERT_MS, () => this.#running().forEach((claude) => void this.#record(claude)));
    this.#every(KEEP_ALIVE_MS, () => {
      for (const claude of this.#running()) if (claude.state !== 'idle') this.#stream(claude);
    });
  }

  newSessionId(): string {
    return `session-${this.#nextId++}`;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low));
  }

  /** Starts a process on a session, new or not. */
  start(sessionId: string): SimulatedClaude {
    const pid = 100 + this.processes.length;
    const startedAt = this.#clock.wall();
    const claude: SimulatedClaude = {
      pid,
      startedAt,
      sessionId,
      state: 'idle',
      alive: true,
      statusAt: startedAt,
      prompts: 0,
    };
    this.processes.push(claude);
    this.hook(claude, 'session_start', 'SessionStart');
    this.becomes(claude, 'idle');
    return claude;
  }

  /** The process really is in another state now; what is told in order tells it. */
  becomes(claude: SimulatedClaude, state: SimulatedClaude['state']): void {
    claude.state = state;
    claude.statusAt = this.#clock.wall();
    this.#record(claude);
    this.#stream(claude);
  }

  /** `/clear`: the process goes on in a session of its own. */
  clear(claude: SimulatedClaude): void {
    const before = claude.sessionId;
    this.#hookEnd(claude);
    this.#streamEnd(claude);
    claude.sessionId = this.newSessionId();
    this.hook(claude, 'session_start', 'SessionStart');
    this.becomes(claude, 'idle');
    this.#inOrder(`record ${claude.pid}`, 1, () => this.registry.recordGone(before, claude.pid, 'removed'));
  }

  /** Ends a process: by itself, saying so, or killed, leaving its record behind. */
  end(claude: SimulatedClaude, how: 'exit' | 'kill'): void {
    const { sessionId, pid } = claude;
    claude.state = 'ended';
    this.#streamEnd(claude);
    if (how === 'exit') {
      this.#hookEnd(claude);
      this.#inOrder(`record ${pid}`, this.between(1, 60), () =>
        this.registry.recordGone(sessionId, pid, 'removed'),
      );
      this.#later(this.between(150, 350), () => {
        claude.alive = false;
      });
      return;
    }
    claude.alive = false;
    this.#later(this.between(100, 1_000), () => this.registry.recordGone(sessionId, pid, 'dead'));
  }

  /** A hook: stamped when its process starts, delivered when that gets to it. */
  hook(
    claude: SimulatedClaude,
    event: ObservePayload['event'],
    hook: string,
    more: Partial<ObservePayload> = {},
  ): void {
    if (!this.#feeds.hooks) return;
    const isAwaited = hook === 'PermissionRequest';
    const starts = isAwaited ? this.between(5, 20) : this.between(5, 250);
    const { pid, sessionId: session_id } = claude;
    const payload = {
      session_id,
      event,
      pid,
      hook,
      feed: 'hook',
      stamp: this.#stamp(starts),
      ...more,
    } as const;
    this.#later(starts + this.between(30, 400), () => this.registry.observe(payload));
  }

  /** Time passes, and everything due in it happens. */
  pass(ms: number): void {
    const until = this.#clock.awake() + ms;
    for (;;) {
      const next = this.#deliveries.reduce<Delivery | undefined>(
        (first, delivery) => (first === undefined || delivery.at < first.at ? delivery : first),
        undefined,
      );
      if (next === undefined || next.at > until) break;
      this.#deliveries = this.#deliveries.filter((delivery) => delivery !== next);
      this.#clock.advance(next.at - this.#clock.awake());
      next.run();
      this.registry.settle();
    }
    this.#clock.advance(until - this.#clock.awake());
    this.registry.settle();
  }

  #running(): SimulatedClaude[] {
    return this.processes.filter(({ state }) => state !== 'ended');
  }

  #look(pid: number): ProcessFacts | undefined {
    const claude = this.processes.find((process) => process.pid === pid);
    return claude && (claude.alive ? { alive: true, token: `t${pid}`, parent: 1 } : { alive: false });
  }

  #poll(): void {
    const found = this.registry.watchedPids().filter((pid) => this.#look(pid)?.alive);
    this.registry.pidTick(new Map(found.map((pid) => [pid, `t${pid}`])));
  }

  #record({ pid, sessionId, state, statusAt, startedAt }: SimulatedClaude): void {
    const told = {
      session_id: sessionId,
      pid,
      token: `t${pid}`,
      state,
      statusAt,
      startedAt,
      entrypoint: 'cli',
    };
    this.#inOrder(`record ${pid}`, this.between(20, 100), () => {
      if (this.#look(pid)?.alive) this.registry.record(told);
    });
  }

  #stream({ pid, sessionId: session_id, state }: SimulatedClaude): void {
    if (!this.#feeds.stream) return;
    const told = { session_id, pid, event: { stream_state: state }, feed: 'claude_stream' } as const;
    this.#inOrder(`stream ${pid}`, this.between(1, 20), () => this.registry.observe(told));
  }

  #streamEnd({ pid, sessionId: session_id }: SimulatedClaude): void {
    if (!this.#feeds.stream) return;
    this.#inOrder(`stream ${pid}`, this.between(1, 20), () => this.registry.end({ session_id, pid }));
  }

  #hookEnd({ pid, sessionId: session_id }: SimulatedClaude): void {
    if (!this.#feeds.hooks) return;
    const stamp = this.#stamp(this.between(5, 20));
    this.#later(this.between(50, 250), () => this.registry.end({ session_id, pid, stamp }));
  }

  #stamp(inMs: number) {
    this.#seq += 1;
    return { ts: new Date(this.#clock.wall() + inMs).toISOString(), seq: `1-${this.#seq}` };
  }

  #later(ms: number, run: () => void): void {
    this.#deliveries.push({ at: this.#clock.awake() + ms, run });
  }

  #inOrder(channel: string, ms: number, run: () => void): void {
    const at = Math.max(this.#clock.awake() + ms, (this.#lastInOrder.get(channel) ?? 0) + 1);
    this.#lastInOrder.set(channel, at);
    this.#deliveries.push({ at, run });
  }

  #every(ms: number, run: () => void): void {
    this.#later(ms, () => {
      run();
      this.#every(ms, run);
    });
  }
}
