import type { SessionState } from '../../contract/events.ts';
import { DRIFT_MS } from './limits.ts';

/** What Claude's live-process record of one process says, its identity already checked by the feed. */
export interface RecordSighting {
  session_id: string;
  pid: number;
  /** Start-time token of the pid, when the feed could read it. */
  token?: string;
  cwd?: string;
  /** Name of the repository around `cwd`, when it was found. */
  repo?: string;
  transcript_path?: string;
  /** The state, or undefined when the record's words say none (a picker is open, a word is unknown). */
  state?: SessionState;
  /** Wall time of the last status change, in milliseconds. */
  statusAt: number;
  /** Wall time of the process's start, in milliseconds. */
  startedAt: number;
  /** `cli`, `sdk-ts`, `sdk-cli`, `claude-vscode`, …. */
  entrypoint?: string;
  background?: { subagents: number; shells: number };
}

/** The initial `idle` comes within seconds of the start: a status later than this was set by a turn. */
const START_UP_MS = 10_000;

/** One live record of a session. */
export class RecordLayer {
  readonly pid: number;
  state: SessionState | undefined;
  statusAt: number;
  token: string | undefined;
  everBusy: boolean;
  entrypoint: string | undefined;
  background: { subagents: number; shells: number } | undefined;
  seenAwake: number;
  /** Another process than the session's owner wrote it, and both live. */
  ofAnother = false;
  #driftAt: number | undefined;
  #busyUntil: number | undefined;

  constructor(sighting: RecordSighting, awake: number) {
    this.pid = sighting.pid;
    this.statusAt = sighting.statusAt;
    this.everBusy = false;
    this.seenAwake = awake;
    this.update(sighting, awake);
  }

  /** Takes the record as it is now. True when its status moved. */
  update(sighting: RecordSighting, awake: number): boolean {
    const moved = sighting.statusAt !== this.statusAt || (sighting.state ?? this.state) !== this.state;
    if (moved && this.state === 'working') this.#busyUntil = sighting.statusAt;
    if (moved) this.#driftAt = undefined;
    this.state = sighting.state ?? this.state;
    this.statusAt = sighting.statusAt;
    this.token = sighting.token ?? this.token;
    this.entrypoint = sighting.entrypoint ?? this.entrypoint;
    this.background = sighting.background;
    this.seenAwake = awake;
    const busy = this.state === 'working' || this.state?.startsWith('waiting_') === true;
    if (busy || sighting.statusAt - sighting.startedAt > START_UP_MS) this.everBusy = true;
    return moved;
  }

  /**
   * A live record keeps a busy row alive, and an idle one only for a terminal session that was ever prompted: an editor
   * keeps a process for each chat ever opened.
   */
  get keepsAlive(): boolean {
    if (this.state !== 'idle' && this.state !== 'starting') return this.state !== undefined;
    return this.entrypoint === 'cli' && this.everBusy;
  }

  /** See ExactLayer.promptSeen: the same suspicion, for a record whose status stopped moving. */
  promptSeen(at: number, now: { wall: number; awake: number }): void {
    if (this.state !== 'idle' || this.statusAt > at || this.#driftAt !== undefined) return;
    if (this.#busyUntil !== undefined && at - this.#busyUntil < DRIFT_MS) return;
    this.#driftAt = now.awake + Math.max(0, DRIFT_MS - Math.max(0, now.wall - at));
  }

  get detachesAt(): number | undefined {
    return this.#driftAt;
  }

  attached(awake: number): boolean {
    return this.state !== undefined && (this.#driftAt === undefined || awake <= this.#driftAt);
  }
}
