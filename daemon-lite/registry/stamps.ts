import { parseRfc3339 } from '../../contract/clock.ts';
import type { Stamp } from '../../contract/messages.ts';
import type { Route } from './api.ts';
import { MAX_SEQS, MAX_SUBAGENTS, OUT_OF_ORDER_WINDOW_MS } from './limits.ts';

/** How a stamped event stands to those already applied. */
export type StampVerdict = 'in_order' | 'late' | 'duplicate';

/** A stamp with its time parsed, or undefined: an event without a usable stamp is always applied. */
export interface ParsedStamp {
  at: number;
  seq: string;
}

export function parseStamp(stamp: Stamp | undefined): ParsedStamp | undefined {
  if (stamp === undefined) return undefined;
  const at = parseRfc3339(stamp.ts);
  return at === undefined ? undefined : { at, seq: stamp.seq };
}

/**
 * Remembers which events one session has seen. Asynchronous hooks, the socket and the journal deliver the same event
 * twice or in the wrong order; the stamp, made when the hook's process started, says so.
 */
export class StampMemory {
  #seqs: string[] = [];
  #newest: number | undefined;
  readonly #newestByAgent = new Map<string, number>();

  /**
   * Judges an event and remembers its sequence number. A journal event older than the newest applied one is late; a
   * socket event only when it is behind by less than 10 s, so that a clock set back never freezes a session.
   */
  judge(stamp: ParsedStamp | undefined, route: Route): StampVerdict {
    if (stamp === undefined) return 'in_order';
    if (this.#seqs.includes(stamp.seq)) return 'duplicate';
    const behind = this.#newest === undefined ? 0 : this.#newest - stamp.at;
    // After a clock was set back the journal is often read before the socket: its copy must not count as the event.
    if (route === 'journal' && behind >= OUT_OF_ORDER_WINDOW_MS) return 'late';
    this.#seqs = [...this.#seqs, stamp.seq].slice(-MAX_SEQS);
    if (behind > 0 && (route === 'journal' || behind < OUT_OF_ORDER_WINDOW_MS)) return 'late';
    return 'in_order';
  }

  /** True when nothing newer of this agent (the main one is '') was applied: its own wait may still change. */
  newestOfAgent(agentId: string, stamp: ParsedStamp | undefined): boolean {
    if (stamp === undefined) return true;
    return (this.#newestByAgent.get(agentId) ?? Number.NEGATIVE_INFINITY) <= stamp.at;
  }

  /** Remembers that the event was applied. */
  applied(agentId: string, stamp: ParsedStamp | undefined, late: boolean): void {
    if (stamp === undefined) return;
    if (!late) this.#newest = stamp.at;
    const newest = this.#newestByAgent.get(agentId);
    if (newest === undefined && this.#newestByAgent.size >= MAX_SUBAGENTS) {
      const oldest = this.#newestByAgent.keys().next().value;
      if (oldest !== undefined) this.#newestByAgent.delete(oldest);
    }
    if (newest === undefined || stamp.at > newest) this.#newestByAgent.set(agentId, stamp.at);
  }
}
