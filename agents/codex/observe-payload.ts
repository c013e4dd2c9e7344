import type { ObservePayload } from '../../contract/messages.ts';
import type { SessionReading } from './thread-tracker.ts';

/** A reading as the daemon is told it. Without a pid: a server's serves many sessions and proves nothing of one. */
export function observePayload(reading: SessionReading): ObservePayload {
  const { sessionId, state, cwd, model, transcriptPath, outcome, subagents } = reading;
  return {
    session_id: sessionId,
    event: { stream_state: state },
    agent: 'codex',
    feed: 'codex_server',
    ...(cwd === undefined ? {} : { cwd }),
    ...(model === undefined ? {} : { model }),
    ...(transcriptPath === undefined ? {} : { transcript_path: transcriptPath }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(subagents === 0 ? {} : { background: { subagents, shells: 0 } }),
  };
}
