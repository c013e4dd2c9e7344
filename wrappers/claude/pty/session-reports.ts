import type { LiveRecord } from '../../../agents/claude/live-record.ts';
import type { EndPayload, ObservePayload } from '../../../contract/messages.ts';
import type { StateReporter } from '../../../contract/state-reporter.ts';
import type { ProgramState } from '../../pty/program-status.ts';

export interface SessionReportsOptions {
  reporter: Pick<StateReporter, 'observe' | 'end'>;
  pidNamespace: string | undefined;
}

/**
 * Joins what the terminal says of the program's state to the session that its live record names, and reports both as soon
 * as both are known. A record with another id (`/clear`) ends the session before.
 */
export class SessionReports {
  readonly #options: SessionReportsOptions;
  #record: LiveRecord | undefined;
  #state: ProgramState | undefined;
  /** Wall milliseconds since when the program has been in its state. */
  #since = 0;
  #model: string | undefined;
  #unknownWords: Record<string, number> = {};
  #last = '';

  constructor(options: SessionReportsOptions) {
    this.#options = options;
  }

  /** The live record as it was read; one that is gone changes nothing. */
  setRecord(record: LiveRecord): void {
    const before = this.#record;
    this.#record = record;
    if (before !== undefined && before.sessionId !== record.sessionId) this.#end(before);
    this.#reportChange();
  }

  /**
   * What the program announced, and when (wall milliseconds); undefined when it took its word back.
   *
   * @param unknownWords what was not understood so far
   */
  setState(state: ProgramState | undefined, at: number, unknownWords: Record<string, number> = {}): void {
    this.#unknownWords = unknownWords;
    if (state?.state !== this.#state?.state) this.#since = at;
    this.#state = state;
    this.#reportChange();
  }

  setModel(model: string): void {
    this.#model = model;
    this.#reportChange();
  }

  /** Says the present state once more. */
  reassert(): void {
    this.#last = '';
    this.#reportChange();
  }

  /** The program has ended. */
  end(): void {
    if (this.#record !== undefined) this.#end(this.#record);
    this.#record = undefined;
  }

  #reportChange(): void {
    const payload = this.#payload();
    if (payload === undefined) return;
    const text = JSON.stringify(payload);
    if (text === this.#last) return;
    this.#last = text;
    this.#options.reporter.observe(payload);
  }

  #payload(): ObservePayload | undefined {
    const record = this.#record;
    if (record === undefined || this.#state === undefined) return undefined;
    const { state, outcome, subagents, shells } = withShells(this.#state, this.#since, record);
    return {
      session_id: record.sessionId,
      event: { stream_state: state },
      agent: 'claude',
      background: { subagents, shells },
      ...(record.cwd === undefined ? {} : { cwd: record.cwd }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(Object.keys(this.#unknownWords).length === 0 ? {} : { unknown_words: this.#unknownWords }),
      ...this.#origin(record),
    };
  }

  #end(record: LiveRecord): void {
    this.#last = '';
    const payload: EndPayload = { session_id: record.sessionId, ...this.#origin(record) };
    this.#options.reporter.end(payload);
  }

  #origin(record: LiveRecord): { pid: number; feed: 'terminal_status'; pid_ns?: string } {
    const namespace = this.#options.pidNamespace;
    return {
      pid: record.pid,
      feed: 'terminal_status',
      ...(namespace === undefined ? {} : { pid_ns: namespace }),
    };
  }
}

/**
 * To its terminal Claude counts a background command as work; its record tells that the turn is over (`shell`), and for
 * everybody else the session is idle. A record from before the work began is merely late.
 */
function withShells(
  state: ProgramState,
  since: number,
  record: LiveRecord,
): ProgramState & { shells: number } {
  if (record.status !== 'shell') return { ...state, shells: 0 };
  const isOver = state.state === 'working' && (record.statusUpdatedAt ?? 0) >= since;
  return { ...state, ...(isOver ? { state: 'idle', outcome: 'done' } : {}), shells: 1 };
}
