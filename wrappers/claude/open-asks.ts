import type { SessionState } from '../../contract/events.ts';

/** Most asks that are remembered at once; further ones are counted and ignored. */
export const OPEN_ASKS_LIMIT = 64;

/** What an open ask shows as. */
export type Wait = Extract<SessionState, 'waiting_for_permission' | 'waiting_for_input'>;

interface OpenAsk {
  wait: Wait;
  /** True when a subagent asks: the end of a main turn does not close it. */
  ofSubagent: boolean;
}

/** The questions Claude has put to its host and that are not answered yet, by request id. */
export class OpenAsks {
  readonly #asks = new Map<string, OpenAsk>();

  /** False when there was no room. An id that is open already keeps its first meaning. */
  open(requestId: string, ask: OpenAsk): boolean {
    if (this.#asks.has(requestId)) return true;
    if (this.#asks.size >= OPEN_ASKS_LIMIT) return false;
    this.#asks.set(requestId, ask);
    return true;
  }

  close(requestId: string): void {
    this.#asks.delete(requestId);
  }

  closeAll(): void {
    this.#asks.clear();
  }

  /** A turn without state lines is over: what the main thread asked is moot, a background subagent still waits. */
  closeThoseOfTheMainThread(): void {
    for (const [id, ask] of this.#asks) if (!ask.ofSubagent) this.#asks.delete(id);
  }

  /** The wait to show: permission before input. Undefined when nothing is open. */
  get wait(): Wait | undefined {
    let wait: Wait | undefined;
    for (const ask of this.#asks.values()) {
      if (ask.wait === 'waiting_for_permission') return ask.wait;
      wait = ask.wait;
    }
    return wait;
  }
}

/**
 * Which wait a control request of Claude's is, or undefined when it asks nobody: `can_use_tool` and the dialogs ask a
 * person, everything else is answered by the host itself.
 */
export function waitOfRequest(subtype: string, toolName: string | undefined): Wait | undefined {
  if (subtype === 'elicitation' || subtype === 'request_user_dialog') return 'waiting_for_input';
  if (subtype !== 'can_use_tool') return undefined;
  return toolName === 'AskUserQuestion' ? 'waiting_for_input' : 'waiting_for_permission';
}
