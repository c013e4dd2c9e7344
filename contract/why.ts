import type { Feed, SessionEvent, SessionState } from './events.ts';

/** What one feed last said about a session, for `sessions why`. */
export interface FeedReading {
  feed: Feed;
  rank: number;
  state: SessionState;
  last_event: SessionEvent;
  /** Seconds since the feed last spoke, in awake time. */
  age_s: number;
  pid?: number;
  attached: boolean;
  decides: boolean;
  /** Why this feed decides, or why it does not. */
  rule: string;
}

/** Reply payload of the additive op `why`: the layers of one session, highest rank first. */
export interface WhyPayload {
  session_id: string;
  state: SessionState;
  decided_by: Feed;
  rule: string;
  readings: FeedReading[];
  pid?: number;
  replaced_pids: number[];
  prompted: boolean;
  subagent_waits: { agent_id: string; state: SessionState }[];
  ttl_left_s: number;
}
