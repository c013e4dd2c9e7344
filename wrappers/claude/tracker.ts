import { isBusy, type Outcome, type SessionState } from '../../contract/events.ts';
import { BackgroundTasks } from './background-tasks.ts';
import { KNOWN_LINE_TYPES, KNOWN_SILENT_REQUESTS, KNOWN_SYSTEM_SUBTYPES } from './known-words.ts';
import { OpenAsks, waitOfRequest } from './open-asks.ts';
import { answerId, StreamIdentity } from './stream-identity.ts';
import { type Direction, objectOf, readStreamLine, type StreamLine, textOf } from './stream-line.ts';
import type { StateReport, TrackerCounters, TrackerReport } from './tracker-report.ts';
import { outcomeOfResult } from './turn-outcome.ts';

export interface TrackerOptions {
  /** The process takes no stream-json on stdin, so that its first turn begins by itself. */
  oneShot?: boolean;
}

/**
 * Derives a session's exact state from the stream-json lines of one Claude process, in both directions. Pure: fed with
 * lines, it answers with a report where something worth telling changed.
 *
 * Streams with `session_state_changed` lines are followed by those alone (and by the asks); in others a turn begins with
 * the host's message or the first sign of work and ends with `result`. The rules were measured on
 * the captures under test/fixtures/claude; a line or word that is not known is counted and changes nothing.
 */
export class StreamTracker {
  readonly counters: TrackerCounters = {
    parse_failures: 0,
    unknown_controls: 0,
    missing_permission_ids: 0,
    permission_cap_drops: 0,
    unknown_lines: 0,
  };
  readonly #oneShot: boolean;
  readonly #asks = new OpenAsks();
  readonly #tasks = new BackgroundTasks();
  readonly #initializeIds = new Set<string>();
  readonly #identity = new StreamIdentity();
  #agentPid: number | undefined;
  #base: SessionState = 'idle';
  /** Anything was seen that tells more than "the process is starting". */
  #started = false;
  #hasStateLines = false;
  /** The tee dropped lines since the last state line: until the next one, what it says may be stale. */
  #lossy = false;
  /** A state line announced an ask that has not come yet. */
  #askIsDue = false;
  #promptUnanswered = false;
  #interruptAsked = false;
  /** A turn without state lines ended while a subagent ran on: Claude will go on by itself. */
  #resultHeldBack = false;
  #outcome: Outcome | undefined;
  #lastReport = '';

  constructor(options: TrackerOptions = {}) {
    this.#oneShot = options.oneShot ?? false;
  }

  /** The id of the session, once a line of Claude's carried one. */
  get sessionId(): string | undefined {
    return this.#identity.sessionId;
  }

  /** The model, once known. */
  get model(): string | undefined {
    return this.#identity.model;
  }

  /** Claude's own pid as its `initialize` answer gives it, where it does. */
  get agentPid(): number | undefined {
    return this.#agentPid;
  }

  /**
   * True while a main-thread `assistant`, `user` or `stream_event` line could not change anything, so that the observer
   * may pass such lines over without parsing them.
   */
  get ignoresMessages(): boolean {
    return this.sessionId !== undefined && (this.#exact || this.#base === 'working');
  }

  /** Takes one line and returns what has to be reported because of it. */
  line(direction: Direction, text: string): TrackerReport | undefined {
    const line = readStreamLine(text);
    if (line === undefined) return undefined;
    if (line === 'unreadable') {
      this.counters.parse_failures += 1;
      return undefined;
    }
    if (direction === 'to_claude') {
      this.#fromHost(line);
      return this.#news();
    }
    if (line.type === 'conversation_reset') return this.#resetConversation();
    this.#identity.learn(line);
    this.#fromClaude(line);
    return this.#news();
  }

  /**
   * Lines were lost between the stream and this tracker. Where Claude has just said that it needs an answer and the
   * request did not come through (a file of a megabyte to write), that is a wait for permission.
   */
  dropped(direction: Direction): StateReport | undefined {
    this.#lossy = true;
    if (direction !== 'from_claude' || !this.#askIsDue || this.#asks.wait !== undefined) return undefined;
    this.#asks.open('', { wait: 'waiting_for_permission', ofSubagent: false });
    return this.#news();
  }

  /** The report to repeat while a busy state lasts; undefined while there is nothing to keep alive. */
  keepAlive(): StateReport | undefined {
    if (this.#resultHeldBack && !this.#tasks.counts?.subagents) {
      this.#turnIsOver();
      const report = this.#news();
      if (report !== undefined) return report;
    }
    const report = this.#current();
    return report !== undefined && isBusy(report.state) ? report : undefined;
  }

  get #exact(): boolean {
    return this.#hasStateLines && !this.#lossy;
  }

  #resetConversation(): { ended: string } | undefined {
    const ended = this.#identity.reset();
    this.#lastReport = '';
    return ended === undefined ? undefined : { ended };
  }

  #fromHost(line: StreamLine): void {
    if (line.type === 'user') {
      this.#promptUnanswered = true;
      if (!this.#exact) this.#work();
    } else if (line.type === 'control_response') {
      this.#closeAsk(answerId(line));
    } else if (line.type === 'control_request') {
      this.#requestOfHost(line);
    }
  }

  #requestOfHost(line: StreamLine): void {
    const subtype = line.request?.subtype;
    if (subtype === 'interrupt') this.#interruptAsked = true;
    if (subtype === 'set_model') this.#identity.hostSetsModel(line);
    if (subtype !== 'initialize') return;
    if (line.requestId !== undefined) this.#initializeIds.add(line.requestId);
    this.#isStarting();
  }

  #closeAsk(requestId: string | undefined): void {
    if (requestId !== undefined) this.#asks.close(requestId);
  }

  #fromClaude(line: StreamLine): void {
    switch (line.type) {
      case 'system':
        this.#system(line);
        break;
      case 'assistant':
      case 'stream_event':
        if (!this.#exact && !line.isSubagent) this.#work();
        break;
      case 'result':
        this.#result(line);
        break;
      case 'control_request':
        this.#requestOfClaude(line);
        break;
      case 'control_response':
        this.#answerOfClaude(line);
        break;
      case 'control_cancel_request':
        this.#closeAsk(line.requestId);
        break;
      default:
        if (line.type === undefined || !KNOWN_LINE_TYPES.has(line.type)) this.counters.unknown_lines += 1;
    }
  }

  #system({ subtype, fields }: StreamLine): void {
    switch (subtype) {
      case 'session_state_changed':
        this.#stateLine(fields.state);
        break;
      case 'init':
        this.#init();
        break;
      case 'status':
        if (!this.#exact && fields.status === 'requesting') this.#work();
        break;
      case 'api_retry':
        if (!this.#exact) this.#work();
        break;
      case 'hook_started':
        if (fields.hook_event === 'SessionStart') this.#isStarting();
        break;
      default:
        if (this.#tasks.take(subtype, fields)) return;
        if (subtype === undefined || !KNOWN_SYSTEM_SUBTYPES.has(subtype)) this.counters.unknown_lines += 1;
    }
  }

  /** Without state lines, `init` means "at the prompt" unless a prompt is on its way. */
  #init(): void {
    if (this.#hasStateLines) return;
    if (this.#promptUnanswered || this.#oneShot) this.#work();
    else this.#settle('idle');
  }

  #stateLine(state: unknown): void {
    if (state !== 'running' && state !== 'idle' && state !== 'requires_action') {
      this.counters.unknown_lines += 1;
      return;
    }
    // An ask may have been settled past this stream (by a hook, or in a line that was lost); Claude says that it runs
    // only when nothing is left to ask.
    if (state !== 'requires_action') this.#asks.closeAll();
    this.#hasStateLines = true;
    this.#lossy = false;
    this.#askIsDue = state === 'requires_action';
    if (state === 'running') this.#work();
    if (state === 'idle') this.#turnIsOver();
  }

  #result({ fields }: StreamLine): void {
    this.#outcome = outcomeOfResult(fields, this.#interruptAsked);
    this.#interruptAsked = false;
    if (this.#exact) return;
    this.#asks.closeThoseOfTheMainThread();
    if (this.#tasks.counts?.subagents) this.#resultHeldBack = true;
    else this.#turnIsOver();
  }

  #requestOfClaude({ request, requestId }: StreamLine): void {
    const subtype = textOf(request?.subtype);
    const wait = subtype === undefined ? undefined : waitOfRequest(subtype, textOf(request?.tool_name));
    if (wait === undefined) {
      if (subtype === undefined || !KNOWN_SILENT_REQUESTS.has(subtype)) this.counters.unknown_controls += 1;
      return;
    }
    const id = textOf(request?.request_id) ?? requestId;
    if (id === undefined) {
      this.counters.missing_permission_ids += 1;
      return;
    }
    this.#askIsDue = false;
    const ofSubagent = textOf(request?.agent_id) !== undefined;
    if (!this.#asks.open(id, { wait, ofSubagent })) this.counters.permission_cap_drops += 1;
  }

  /** Claude answers its host: `initialize` ends the start-up, `set_model` names the model that was really taken. */
  #answerOfClaude(line: StreamLine): void {
    const id = answerId(line);
    if (id === undefined) return;
    this.#identity.answered(id, line);
    if (!this.#initializeIds.delete(id)) return;
    const pid = objectOf(line.response?.response)?.pid;
    if (typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0) this.#agentPid = pid;
    if (this.#base === 'starting' || !this.#started) this.#settle('idle');
  }

  #isStarting(): void {
    if (!this.#started) this.#base = 'starting';
  }

  #settle(state: SessionState): void {
    this.#started = true;
    this.#base = state;
  }

  #work(): void {
    if (this.#base !== 'working') this.#outcome = undefined;
    this.#resultHeldBack = false;
    this.#settle('working');
  }

  #turnIsOver(): void {
    this.#resultHeldBack = false;
    this.#promptUnanswered = false;
    this.#interruptAsked = false;
    this.#settle('idle');
  }

  #current(): StateReport | undefined {
    const { sessionId, cwd, model } = this.#identity;
    if (sessionId === undefined) return undefined;
    const state = this.#asks.wait ?? this.#base;
    const background = this.#tasks.counts;
    return {
      session_id: sessionId,
      state,
      ...(cwd === undefined ? {} : { cwd }),
      ...(model === undefined ? {} : { model }),
      ...(background === undefined ? {} : { background }),
      ...(state !== 'idle' || this.#outcome === undefined ? {} : { outcome: this.#outcome }),
    };
  }

  /** The current report, when it says more than the last one did. A folder that only became known is no news. */
  #news(): StateReport | undefined {
    const report = this.#current();
    if (report === undefined) return undefined;
    const { state, model, outcome, background } = report;
    const counts = [background?.subagents ?? 0, background?.shells ?? 0];
    const fingerprint = JSON.stringify([state, model, outcome, counts, this.#identity.cwdMoves]);
    if (fingerprint === this.#lastReport) return undefined;
    this.#lastReport = fingerprint;
    return report;
  }
}
