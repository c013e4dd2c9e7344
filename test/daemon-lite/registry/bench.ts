import type { SessionState } from '../../../contract/events.ts';
import type { EndPayload, ObservePayload, SessionEntry } from '../../../contract/messages.ts';
import type { ProcessFacts, ProcessView } from '../../../daemon-lite/registry/processes.ts';
import type { RecordSighting } from '../../../daemon-lite/registry/record-layer.ts';
import { SessionRegistry } from '../../../daemon-lite/registry/registry.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A process table that tests write. A pid that is not in it cannot be told. */
export class FakeProcesses implements ProcessView {
  readonly #facts = new Map<number, ProcessFacts>();

  set(pid: number, facts: Partial<ProcessFacts> = {}): void {
    this.#facts.set(pid, { alive: true, token: `t${pid}`, parent: 1, ...facts });
  }

  kill(pid: number): void {
    this.#facts.set(pid, { alive: false });
  }

  look(pid: number): ProcessFacts | undefined {
    return this.#facts.get(pid);
  }
}

/** One registry with a clock and a process table of its own, and short words for what feeds say. */
export class Bench {
  readonly clock = new FakeClock();
  readonly processes = new FakeProcesses();
  readonly registry: SessionRegistry;
  bumps = 0;
  #seq = 0;

  constructor(pidNamespace?: string) {
    this.registry = new SessionRegistry({
      clock: this.clock,
      processes: this.processes,
      ...(pidNamespace === undefined ? {} : { pidNamespace }),
    });
    this.registry.onChange(() => {
      this.bumps += 1;
    });
  }

  /** Seconds pass. */
  after(seconds: number): this {
    this.clock.advance(seconds * 1000);
    return this;
  }

  observe(payload: Partial<ObservePayload> & { event: ObservePayload['event'] }): this {
    this.registry.observe({ session_id: 's1', ...payload });
    return this;
  }

  /** A stamped hook. `ago` is how many seconds before now its process started. */
  hook(event: ObservePayload['event'], more: Partial<ObservePayload> & { ago?: number } = {}): this {
    const { ago = 0, ...payload } = more;
    this.#seq += 1;
    const ts = new Date(this.clock.wall() - ago * 1000).toISOString();
    return this.observe({ event, feed: 'hook', stamp: { ts, seq: `7-${this.#seq}` }, ...payload });
  }

  stream(state: SessionState, more: Partial<ObservePayload> = {}): this {
    return this.observe({ event: { stream_state: state }, feed: 'claude_stream', pid: 100, ...more });
  }

  record(state: SessionState | undefined, more: Partial<RecordSighting> = {}): this {
    const pid = more.pid ?? 100;
    const token = this.processes.look(pid)?.token;
    this.registry.record({
      session_id: 's1',
      pid,
      statusAt: this.clock.wall(),
      startedAt: this.clock.wall() - 1000,
      entrypoint: 'cli',
      ...(state === undefined ? {} : { state }),
      ...(token === undefined ? {} : { token }),
      ...more,
    });
    return this;
  }

  end(payload: Partial<EndPayload> = {}): this {
    this.registry.end({ session_id: 's1', ...payload });
    return this;
  }

  row(id = 's1'): SessionEntry | undefined {
    return this.registry.list().find((entry) => entry.session_id === id);
  }

  state(id = 's1'): SessionState | undefined {
    return this.row(id)?.state;
  }
}
