import type { SessionEntry } from '../../../contract/messages.ts';

/** A row as a daemon sends it; the id tells it from others. */
export function entry(session_id: string, over: Partial<SessionEntry> = {}): SessionEntry {
  return {
    session_id,
    agent: 'claude',
    state: 'idle',
    source: { kind: 'terminal' },
    last_event: 'stop',
    started_at: '2026-10-03T00:00:00.000Z',
    last_seen: '2026-10-03T00:00:00.000Z',
    ...over,
  };
}

/** As {@link entry}, in its state since so many seconds ago. */
export function entrySince(
  session_id: string,
  seconds: number,
  over: Partial<SessionEntry> = {},
): SessionEntry {
  const since = new Date(Date.now() - seconds * 1000).toISOString();
  return entry(session_id, { since, last_seen: since, started_at: since, ...over });
}
