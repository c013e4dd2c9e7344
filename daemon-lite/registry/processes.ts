/** What is known of one process at this moment. */
export interface ProcessFacts {
  alive: boolean;
  /** Opaque start-time token: a pid is the same process only while its token is. */
  token?: string;
  parent?: number;
  /** The process is a shell: as a hook's parent it lives only as long as the hook and proves nothing. */
  shell?: boolean;
  /** The process serves several sessions (Codex's background server): it owns none of them. */
  shared?: boolean;
}

/** Looks processes up. `undefined` means "cannot tell", which is never read as dead or alive. */
export interface ProcessView {
  look(pid: number): ProcessFacts | undefined;
}

/** A view that can tell nothing: every pid is taken at its word. */
export const NO_PROCESS_VIEW: ProcessView = { look: () => undefined };

const MAX_ANCESTORS = 12;

/** True when `pid` is `ancestor` or one of its descendants, as far as the view can tell. */
function descendsFrom(view: ProcessView, pid: number, ancestor: number): boolean {
  let current: number | undefined = pid;
  for (let step = 0; step < MAX_ANCESTORS && current !== undefined && current > 1; step += 1) {
    if (current === ancestor) return true;
    current = view.look(current)?.parent;
  }
  return false;
}

/**
 * True when two pids stand for the same agent: equal, or one started the other. A wrapper's child may be a launcher
 * while hooks name the real agent below it.
 */
export function sameAgentProcess(view: ProcessView, left: number, right: number): boolean {
  return left === right || descendsFrom(view, left, right) || descendsFrom(view, right, left);
}
