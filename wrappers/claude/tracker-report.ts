import type { Background, Outcome, SessionState } from '../../contract/events.ts';

/** What the stream says of its session now. Keys that are not known are absent. */
export interface StateReport {
  session_id: string;
  state: SessionState;
  cwd?: string;
  model?: string;
  background?: Background;
  outcome?: Outcome;
}

/** News from the stream: a state to report, or an id that is no more (`/clear` gives the process a new one). */
export type TrackerReport = StateReport | { ended: string };

/** Lines that the tracker could not use, by reason. */
export interface TrackerCounters {
  parse_failures: number;
  unknown_controls: number;
  missing_permission_ids: number;
  permission_cap_drops: number;
  unknown_lines: number;
}
