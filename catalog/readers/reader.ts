import type { ReadProblem } from '../../agents/files/stamped-file.ts';
import type { Liveness } from '../live/liveness.ts';
import type { Candidate, Harness, ResumeSpec, SessionRecord } from '../session.ts';

/** What a listing of one harness found. */
export interface Listing {
  candidates: Candidate[];
  /** Folders and files that could not be read. */
  problems: ReadProblem[];
}

/** What is known of a session beside its own file: an index, a folder. Never cached. */
export interface Overlay {
  record: SessionRecord;
  archived?: boolean;
}

/** Lists and reads the sessions of one harness, cheaply: metadata, indexes, bounded reads. Runs nothing. */
export interface SessionReader {
  readonly harness: Harness;
  /** Every session, at one stat each. Sessions of subagents are none. */
  list(): Listing;
  /**
   * Reads both ends of a session's file.
   *
   * @returns null when the file holds no session of a person's
   * @throws a Node system error when the file cannot be read
   */
  read(candidate: Candidate): SessionRecord | null;
  /** Adds what indexes beside the file know; they change without the file changing. */
  overlay(candidate: Candidate, record: SessionRecord): Overlay;
  /** Whether the session is running, as far as the harness's own traces tell. */
  liveness(id: string): Liveness;
  /** The command that resumes the session in its directory. */
  resumeSpec(candidate: Candidate, overlay: Overlay, cwd: string): ResumeSpec;
}
