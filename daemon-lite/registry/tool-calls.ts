import { FINISHED_TURN_MS, MAX_SUBAGENTS } from './limits.ts';

/**
 * The main thread's tool calls as asynchronous hooks tell them. `PreToolUse` does not hold its tool, so the permission
 * request of the same tool may be stamped first: then the announcement that comes after it is no sign that the wait is
 * over. Times are wall milliseconds of the events.
 */
export class ToolCalls {
  /** Announced, not finished, and not asked about so far. A tool that was refused is never heard of again. */
  readonly #unasked = new Set<string>();
  /** A request whose own announcement has not come yet. */
  #requestAt: number | undefined;
  #announcedAt: number | undefined;
  #finishedAt = Number.NEGATIVE_INFINITY;

  /** A tool was announced. True when the announcement was overtaken by its own request: nothing went on. */
  announced(toolUseId: string | undefined, at: number): boolean {
    if (toolUseId === undefined) return false;
    const requestAt = this.#requestAt;
    this.#requestAt = undefined;
    this.#announcedAt = at;
    const isAskedAbout = requestAt !== undefined && at - requestAt <= FINISHED_TURN_MS;
    if (!isAskedAbout && this.#unasked.size < MAX_SUBAGENTS) this.#unasked.add(toolUseId);
    return isAskedAbout;
  }

  /** A permission was requested: for the tool announced last, or else for one whose announcement is still to come. */
  requested(at: number): void {
    const asked = [...this.#unasked].at(-1);
    this.#requestAt = asked === undefined ? at : undefined;
    if (asked !== undefined) this.#unasked.delete(asked);
  }

  finished(toolUseId: string | undefined, at: number): void {
    if (toolUseId !== undefined) this.#unasked.delete(toolUseId);
    this.#requestAt = undefined;
    this.#finishedAt = at;
  }

  /** True for a request stamped just before the announcement that was the last thing heard: it is that tool's. */
  isRequestOfLastTool(at: number): boolean {
    return this.#finishedAt < at && isJustBefore(at, this.#announcedAt);
  }

  /** A turn begins or is over. */
  clear(): void {
    this.#unasked.clear();
    this.#requestAt = undefined;
    this.#announcedAt = undefined;
  }
}

/** True when something at `at` came just before the announcement of a tool, as its request does when it is overtaken. */
export function isJustBefore(at: number, announcedAt: number | undefined): boolean {
  return announcedAt !== undefined && announcedAt >= at && announcedAt - at <= FINISHED_TURN_MS;
}
