import type { SessionState } from '../../contract/events.ts';
import { MAX_REPLACED_PIDS } from './limits.ts';
import { type ProcessView, sameAgentProcess } from './processes.ts';

/** A pid as a sighting names it; `namespace` is set when it is another pid namespace than the daemon's. */
export interface ProcessId {
  pid: number;
  namespace?: string | undefined;
}

/** What a sighting's pid means for the session. */
export type Claim =
  /** The pid is the owner's, or there is none to judge. */
  | 'owner'
  /** The process took the session over: layers that carry the old pid no longer count. */
  | 'taken_over'
  /** The process was replaced by a living successor: the sighting is ignored completely. */
  | 'replaced'
  /** The pid proves nothing (dead, a shell, a shared server): the sighting counts as one without a pid. */
  | 'no_proof';

interface Replaced extends ProcessId {
  /** What this process did when it lost the session, or said since: shown if it gets the session back. */
  state: SessionState;
  token: string | undefined;
  /** An exact feed said so: what hooks tell out of order counts no more. */
  exact: boolean;
  /** It ended the session: nothing of it goes on underneath the successor. */
  over: boolean;
}

function same(left: ProcessId, right: ProcessId): boolean {
  return left.pid === right.pid && left.namespace === right.namespace;
}

/**
 * Which process a session belongs to. A resume starts a new process on the same session without waiting for the old one;
 * nothing orders their events, so the newest process owns the session and the replaced ones are remembered. A replaced
 * process gets the session back only when its successor is known to be gone and it is known to live.
 */
export class Ownership {
  owner: ProcessId | undefined;
  /** Start-time token of the owner, once it was read. */
  token: string | undefined;
  /** The owner was seen alive by the pid watcher. */
  seenAlive = false;
  /** A Claude stream reported for this owner: its live pid is no reason to keep an idle row. */
  streamed = false;
  /** The session ended, and no process has gone on with it yet. */
  #over = false;
  #replaced: Replaced[] = [];

  get replaced(): readonly ProcessId[] {
    return this.#replaced;
  }

  isReplaced(process: ProcessId): boolean {
    return this.#replaced.some((old) => same(old, process));
  }

  /** Remembers what a replaced process says of itself. Nobody sees it while its successor lives. */
  noteReplaced(process: ProcessId, state: SessionState, exact: boolean): void {
    for (const old of this.#replaced)
      if (same(old, process) && (exact || !old.exact)) Object.assign(old, { state, exact, over: false });
  }

  /** Remembers that a replaced process ended the session on its side. */
  noteReplacedEnd(process: ProcessId): void {
    for (const old of this.#replaced) if (same(old, process)) old.over = true;
  }

  /** The session ended: whoever goes on with it has no successor to wait for. */
  close(): void {
    this.#over = true;
  }

  /** The session goes on. */
  reopen(): void {
    this.#over = false;
  }

  /**
   * Judges a sighting's process and lets it own the session where it may.
   *
   * @param begins the sighting is the beginning of a run or a turn: no straggler of an old process
   */
  claim(process: ProcessId | undefined, state: SessionState, processes: ProcessView, begins: boolean): Claim {
    if (process === undefined) return 'owner';
    if (this.owner !== undefined && same(this.owner, process)) return 'owner';
    const local = process.namespace === undefined;
    const facts = local ? processes.look(process.pid) : undefined;
    if (facts?.alive === false && this.isReplaced(process)) return 'replaced';
    if (facts?.alive === false || facts?.shell === true || facts?.shared === true) return 'no_proof';
    if (this.owner === undefined) {
      this.#own(process, facts?.token);
      return 'owner';
    }
    if (this.isOwner(process, processes)) return 'owner';
    const mayReturn = (this.#over && begins) || (facts?.alive === true && this.ownerIsGone(processes));
    if (this.isReplaced(process) && !mayReturn) return 'replaced';
    this.#replace(state);
    this.#own(process, facts?.token);
    return 'taken_over';
  }

  /** True when the process is the owner, or one started the other. */
  isOwner(process: ProcessId, processes: ProcessView): boolean {
    const owner = this.owner;
    if (owner === undefined || owner.namespace !== process.namespace) return false;
    if (owner.namespace !== undefined) return owner.pid === process.pid;
    return sameAgentProcess(processes, owner.pid, process.pid);
  }

  /** True when `process`, which is not the owner, is known to be an agent of its own while the owner lives on. */
  othersLive(process: ProcessId, processes: ProcessView): boolean {
    if (this.owner === undefined || this.owner.namespace !== undefined || process.namespace !== undefined)
      return false;
    const facts = processes.look(process.pid);
    const owner = processes.look(this.owner.pid);
    return facts?.alive === true && facts.shell !== true && owner?.alive === true;
  }

  /** True when the session belongs to another process than `process`, and that one is not known to be gone. */
  belongsToAnother(process: ProcessId, processes: ProcessView): boolean {
    if (this.owner === undefined || this.isOwner(process, processes)) return false;
    return this.owner.namespace !== undefined || processes.look(this.owner.pid)?.alive === true;
  }

  /** True only when the owner is known to be dead. */
  ownerIsGone(processes: ProcessView): boolean {
    const owner = this.owner;
    if (owner === undefined || owner.namespace !== undefined) return false;
    const facts = processes.look(owner.pid);
    if (facts === undefined) return false;
    return (
      !facts.alive || (this.token !== undefined && facts.token !== undefined && facts.token !== this.token)
    );
  }

  /**
   * The owner ended. If a replaced process is known to be the very one that had the session and to live on, it gets the
   * session back: its state from then is returned. Else undefined, and the session is over.
   */
  handBack(processes: ProcessView): SessionState | undefined {
    const heir = this.#replaced.findLast((old) => {
      if (old.over || old.namespace !== undefined || old.token === undefined) return false;
      const facts = processes.look(old.pid);
      return facts?.alive === true && facts.token === old.token;
    });
    if (heir === undefined) return undefined;
    this.handTo({ pid: heir.pid }, heir.state);
    this.token = heir.token;
    this.seenAlive = true;
    return heir.state;
  }

  /**
   * The owner left the session to another process, which is known to be on it. It is no heir to that one, and what it says
   * afterwards (a stream and a hook tell the same end) is not about it.
   */
  handTo(process: ProcessId, state: SessionState): void {
    this.#over = true;
    this.#replace(state);
    this.#own(process);
  }

  /** The session had ended, and a live record shows that it goes on in this process: the one before has left it. */
  goesOnIn(pid: number): void {
    const { owner } = this;
    if (owner !== undefined && !same(owner, { pid })) this.handTo({ pid }, 'idle');
  }

  /** @param token start-time token of the process where it is known: a recycled pid is told from the first poll on. */
  #own(process: ProcessId, token?: string): void {
    this.#replaced = this.#replaced.filter((old) => !same(old, process));
    this.owner = process;
    this.token = token;
    this.seenAlive = false;
    this.streamed = false;
    this.#over = false;
  }

  #replace(state: SessionState): void {
    if (this.owner === undefined) return;
    const old: Replaced = { ...this.owner, state, token: this.token, exact: false, over: this.#over };
    this.#replaced = [...this.#replaced, old].slice(-MAX_REPLACED_PIDS);
  }
}
