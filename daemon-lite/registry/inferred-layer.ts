import type { Background, Feed, Outcome, SessionEvent, SessionState } from '../../contract/events.ts';
import { FINISHED_TURN_MS, MAX_SUBAGENTS } from './limits.ts';
import { isJustBefore, ToolCalls } from './tool-calls.ts';

type Wait = 'waiting_for_input' | 'waiting_for_permission';

/** One hook or passive sighting, reduced to what the state machine reads. */
export interface InferredSighting {
  event: Exclude<SessionEvent, { stream_state: SessionState }>;
  feed: Feed;
  /** Wall time of the event: its stamp, else now. */
  at: number;
  agentId?: string | undefined;
  hook?: string | undefined;
  turnId?: string | undefined;
  toolUseId?: string | undefined;
  background?: Background | undefined;
  outcome?: Outcome | undefined;
}

const TOOL_EVENTS: ReadonlySet<unknown> = new Set(['pre_tool_use', 'post_tool_use']);

/** True for sightings that say nothing about what the agent does: file growth, discovery, unclassified notices. */
export function isPassive(event: SessionEvent): boolean {
  if (typeof event === 'object') return 'notification' in event && event.notification === 'other';
  return event === 'transcript_grew' || event === 'transcript_discovered';
}

/** The wait that an event sets, or undefined. */
export function waitOf(event: SessionEvent): Wait | undefined {
  if (typeof event !== 'object' || !('notification' in event)) return undefined;
  if (event.notification === 'permission_prompt') return 'waiting_for_permission';
  return event.notification === 'other' ? undefined : 'waiting_for_input';
}

/**
 * The state as hooks and files let it be inferred: the contract's state machine (docs/protocol.md, "States"). It holds
 * the main agent's state and, above it, the waits of subagents. It is kept up to date underneath an exact feed and
 * shows again when that feed is gone.
 */
export class InferredLayer {
  #base: SessionState | undefined;
  #feed: Feed = 'hook';
  #lastEvent: SessionEvent = 'transcript_discovered';
  #permissionRequestSeen = false;
  #finishedTurn: { id: string; at: number } | undefined;
  readonly #waits = new Map<string, Wait>();
  readonly #tools = new ToolCalls();
  /** When each subagent announced a tool that it has not finished. */
  readonly #announcedBy = new Map<string, number>();
  background: Background | undefined;
  outcome: Outcome | undefined;

  /** The state to show, or undefined while nothing but passive sightings under an exact feed were seen. */
  get state(): SessionState | undefined {
    if (this.#base === undefined) return undefined;
    const waits = [...this.#waits.values()];
    if (waits.includes('waiting_for_permission')) return 'waiting_for_permission';
    return waits.length > 0 ? 'waiting_for_input' : this.#base;
  }

  /** The feed that spoke last, and what it said. */
  get feed(): Feed {
    return this.#feed;
  }

  get lastEvent(): SessionEvent {
    return this.#lastEvent;
  }

  get subagentWaits(): ReadonlyMap<string, SessionState> {
    return this.#waits;
  }

  /** Applies one sighting in order. `creates` is true for the first sighting of a row. */
  apply(sighting: InferredSighting, creates: boolean): void {
    this.#note(sighting);
    if (sighting.agentId !== undefined) this.#applySubagent(sighting, sighting.agentId, creates);
    else if (isPassive(sighting.event)) this.#applyPassive(sighting.event, creates);
    else this.#applyMain(sighting);
  }

  /** Applies a late sighting: never the main state, only its own agent's wait. True when a wait changed. */
  applyLate(sighting: InferredSighting): boolean {
    const before = this.state;
    if (sighting.agentId !== undefined) this.#changeWait(sighting, sighting.agentId);
    else if (waitOf(sighting.event) !== undefined && !this.#isFinishedTurn(sighting))
      this.#applyMain(sighting);
    return this.state !== before;
  }

  /** True for a request that is behind nothing but the announcement of its own tool. */
  isOvertakenRequest({ hook, agentId, at }: InferredSighting): boolean {
    if (hook !== 'PermissionRequest') return false;
    if (agentId !== undefined) return isJustBefore(at, this.#announcedBy.get(agentId));
    return this.#base === 'working' && this.#tools.isRequestOfLastTool(at);
  }

  /** The process that owned the session was replaced: what was remembered about it no longer holds. */
  forgetProcess(): void {
    this.#tools.clear();
    this.#announcedBy.clear();
    this.#permissionRequestSeen = false;
    this.#finishedTurn = undefined;
  }

  /** The session ended and goes on: nothing that was inferred before its end holds. */
  forget(): void {
    this.forgetProcess();
    this.#base = undefined;
    this.#waits.clear();
    this.background = undefined;
    this.outcome = undefined;
  }

  /** The session is handed back with a state known from elsewhere. */
  restore(state: SessionState): void {
    this.#base = state;
    this.#waits.clear();
  }

  #note(sighting: InferredSighting): void {
    this.#feed = sighting.feed;
    this.#lastEvent = sighting.event;
  }

  #applyPassive(event: SessionEvent, creates: boolean): void {
    if (event !== 'transcript_grew') {
      if (creates) this.#base = 'idle';
      return;
    }
    const held = this.#base === 'starting' || this.#waits.size > 0 || this.#base?.startsWith('waiting_');
    if (!held) this.#base = 'working';
  }

  #applySubagent(sighting: InferredSighting, agentId: string, creates: boolean): void {
    if (creates) this.#base = 'idle';
    if (sighting.event === 'post_tool_use') this.#announcedBy.delete(agentId);
    if (sighting.event === 'pre_tool_use' && this.#announcedBy.size < MAX_SUBAGENTS)
      this.#announcedBy.set(agentId, sighting.at);
    this.#changeWait(sighting, agentId);
  }

  #changeWait(sighting: InferredSighting, agentId: string): void {
    const wait = waitOf(sighting.event);
    if (sighting.event === 'post_tool_use') this.#waits.delete(agentId);
    if (wait === undefined || this.#isRepeatedNotice(sighting)) return;
    if (!this.#waits.has(agentId) && this.#waits.size >= MAX_SUBAGENTS) return;
    if (this.#base === undefined) this.#base = 'working';
    if (sighting.hook === 'PermissionRequest') this.#permissionRequestSeen = true;
    this.#waits.set(agentId, wait);
  }

  #applyMain(sighting: InferredSighting): void {
    const { event } = sighting;
    const wait = waitOf(event);
    if (wait !== undefined) {
      if (this.#isRepeatedNotice(sighting) || this.#isRestingNotice(event)) return;
      if (sighting.hook === 'PermissionRequest') {
        this.#permissionRequestSeen = true;
        this.#tools.requested(sighting.at);
      }
      this.#waits.clear();
      this.#base = wait;
      return;
    }
    if (TOOL_EVENTS.has(event) && this.#isFinishedTurn(sighting)) return;
    if (this.#isOvertakenByRequest(sighting)) return;
    if (event === 'stop') {
      this.#applyStop(sighting);
      return;
    }
    this.#waits.clear();
    this.#base = event === 'session_start' ? 'starting' : 'working';
    if (event === 'session_start' || event === 'user_prompt_submit') {
      this.background = undefined;
      this.outcome = undefined;
    }
    if (event === 'user_prompt_submit') this.#finishedTurn = undefined;
  }

  /** Follows the tool calls. True for the announcement of the tool that is being asked about already. */
  #isOvertakenByRequest({ event, toolUseId, at }: InferredSighting): boolean {
    if (event === 'pre_tool_use') return this.#tools.announced(toolUseId, at);
    if (event === 'post_tool_use') this.#tools.finished(toolUseId, at);
    else this.#tools.clear();
    return false;
  }

  /** A turn that ends while its subagents still run goes on by itself; background shells keep nothing busy. */
  #applyStop(sighting: InferredSighting): void {
    const { background } = sighting;
    const goesOn = background !== undefined && background.subagents > 0;
    if (!goesOn) this.#waits.clear();
    this.#base = goesOn ? 'working' : 'idle';
    const anything = background !== undefined && background.subagents + background.shells > 0;
    this.background = anything ? background : undefined;
    this.outcome = goesOn ? undefined : sighting.outcome;
    if (sighting.turnId !== undefined) this.#finishedTurn = { id: sighting.turnId, at: sighting.at };
  }

  /**
   * A terminal repeats every prompt as a notice six seconds later, answered or not. Once the process has shown that it
   * sends the request itself, its notices set no wait.
   */
  #isRepeatedNotice(sighting: InferredSighting): boolean {
    if (sighting.hook !== 'Notification' || !this.#permissionRequestSeen) return false;
    return waitOf(sighting.event) === 'waiting_for_permission';
  }

  /** `idle_prompt` comes a minute after every finished turn: a session known to rest stays idle. */
  #isRestingNotice(event: SessionEvent): boolean {
    const idlePrompt =
      typeof event === 'object' && 'notification' in event && event.notification === 'idle_prompt';
    return idlePrompt && this.#base === 'idle';
  }

  /** A tool event of the turn that just ended was overtaken by the turn's end. */
  #isFinishedTurn(sighting: InferredSighting): boolean {
    const finished = this.#finishedTurn;
    if (finished === undefined || sighting.turnId !== finished.id) return false;
    return sighting.at <= finished.at + FINISHED_TURN_MS;
  }
}
