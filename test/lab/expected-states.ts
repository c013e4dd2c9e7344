import type { SessionState } from '../../contract/events.ts';
import type { CapturedLine } from './capture.ts';

/** A state change that a perfect observer of the stream reports. Indexes count lines of the capture; -1 is the spawn. */
export interface ExpectedChange {
  state: SessionState;
  /** The line that settles the change. */
  index: number;
  /** The first line that already justifies it. */
  earliest: number;
  /** The session the process is in; undefined as long as no line named it. */
  session_id?: string;
}

interface StreamBody {
  type?: string;
  subtype?: string;
  session_id?: string;
  state?: string;
  request_id?: string;
  request?: { subtype?: string; tool_name?: string; agent_id?: string };
  response?: { request_id?: string };
}

type Wait = 'waiting_for_input' | 'waiting_for_permission';

/** Which wait an ask of the agent is, or undefined when nobody has to answer it. */
function waitOf(request: NonNullable<StreamBody['request']>): Wait | undefined {
  if (request.subtype === 'elicitation' || request.subtype === 'request_user_dialog')
    return 'waiting_for_input';
  if (request.subtype !== 'can_use_tool') return undefined;
  return request.tool_name === 'AskUserQuestion' ? 'waiting_for_input' : 'waiting_for_permission';
}

function parse(line: string): StreamBody | undefined {
  try {
    return JSON.parse(line) as StreamBody;
  } catch {
    return undefined;
  }
}

/**
 * Says what a capture means, from the whole of it: with hindsight, and apart from the product, whose tracker has to
 * come to the same result line by line.
 */
class StreamReading {
  readonly changes: ExpectedChange[] = [{ state: 'starting', index: -1, earliest: -1 }];
  readonly #hasStateLines: boolean;
  readonly #asks = new Map<string, { wait: Wait; bySubagent: boolean }>();
  readonly #initializeIds = new Set<string>();
  #base: SessionState = 'starting';
  /** The line that announced the change to come: a prompt before `running`, a result before `idle`. */
  #announcedAt: number | undefined;
  #sessionId: string | undefined;
  /** The id that a `conversation_reset` ended: lines that still carry it name no session. */
  #endedId: string | undefined;

  constructor(capture: CapturedLine[]) {
    this.#hasStateLines = capture.some(
      ({ dir, line }) => dir === 'out' && line.includes('"session_state_changed"'),
    );
    for (const [index, record] of capture.entries()) this.#record(record, index);
  }

  #record({ dir, line }: CapturedLine, index: number): void {
    if (dir === 'exit') this.#exit(index);
    if (dir === 'exit' || dir === 'err') return;
    const body = parse(line);
    if (body === undefined) return;
    if (dir === 'in') this.#fromHost(body, index);
    else this.#fromAgent(body, index);
  }

  #exit(index: number): void {
    this.#asks.clear();
    this.#becomes('ended', index);
  }

  #fromHost(body: StreamBody, index: number): void {
    if (body.type === 'control_request' && body.request?.subtype === 'initialize') {
      this.#initializeIds.add(body.request_id ?? '');
    }
    if (body.type === 'user' && this.#base !== 'working') {
      this.#announcedAt = index;
      if (!this.#hasStateLines) this.#becomes('working', index);
    }
    if (body.type === 'control_response' && this.#asks.delete(body.response?.request_id ?? '')) {
      this.#settle(index);
    }
  }

  #fromAgent(body: StreamBody, index: number): void {
    this.#identify(body, index);
    if (body.type === 'control_response' && this.#base === 'starting') {
      if (this.#initializeIds.has(body.response?.request_id ?? '')) this.#becomes('idle', index);
    }
    if (body.type === 'control_request' && body.request !== undefined) this.#ask(body, index);
    if (body.type === 'control_cancel_request' && this.#asks.delete(body.request_id ?? ''))
      this.#settle(index);
    if (body.type === 'result' && this.#base === 'working') this.#result(index);
    if (body.type === 'system') this.#system(body, index);
  }

  #ask(body: StreamBody, index: number): void {
    if (body.request === undefined || body.request_id === undefined) return;
    const wait = waitOf(body.request);
    if (wait === undefined) return;
    this.#asks.set(body.request_id, { wait, bySubagent: body.request.agent_id !== undefined });
    this.#settle(index);
  }

  #result(index: number): void {
    if (this.#hasStateLines) {
      this.#announcedAt = index;
      return;
    }
    for (const [id, ask] of this.#asks) if (!ask.bySubagent) this.#asks.delete(id);
    this.#becomes('idle', index);
  }

  #system(body: StreamBody, index: number): void {
    if (body.subtype === 'session_state_changed') {
      if (body.state === 'requires_action') return;
      const earliest = this.#announcedAt ?? index;
      this.#announcedAt = undefined;
      if (body.state === 'idle') this.#asks.clear();
      if (body.state === 'running' || body.state === 'idle') {
        this.#becomes(body.state === 'running' ? 'working' : 'idle', index, earliest);
      }
    }
    if (!this.#hasStateLines && this.#base === 'starting' && body.subtype === 'init') {
      this.#becomes('working', index);
    }
  }

  #identify(body: StreamBody, index: number): void {
    if (body.type === 'conversation_reset') {
      this.#endedId = this.#sessionId ?? body.session_id;
      this.#sessionId = undefined;
      if (this.#endedId !== undefined) {
        this.changes.push({ state: 'ended', index, earliest: index, session_id: this.#endedId });
      }
      return;
    }
    if (!body.session_id || body.session_id === this.#endedId) return;
    if (this.#sessionId === body.session_id) return;
    this.#sessionId = body.session_id;
    // The row of a newly named session begins in the state the process is in.
    this.changes.push({ state: this.#shown(), index, earliest: index, session_id: this.#sessionId });
  }

  #shown(): SessionState {
    const waits = [...this.#asks.values()].map(({ wait }) => wait);
    if (waits.includes('waiting_for_permission')) return 'waiting_for_permission';
    return waits[0] ?? this.#base;
  }

  #becomes(state: SessionState, index: number, earliest = index): void {
    this.#base = state;
    this.#settle(index, earliest);
  }

  #settle(index: number, earliest = index): void {
    const state = this.#shown();
    if (this.changes.at(-1)?.state === state) return;
    const change = { state, index, earliest: Math.min(earliest, index) };
    const named = this.#sessionId === undefined ? {} : { session_id: this.#sessionId };
    this.changes.push({ ...change, ...named });
  }
}

/** The state changes that a capture justifies, the changes of the session's name included. */
export function expectedChanges(capture: CapturedLine[]): ExpectedChange[] {
  return new StreamReading(capture).changes;
}
