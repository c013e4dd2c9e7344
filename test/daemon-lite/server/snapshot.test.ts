import { describe, expect, it } from 'vitest';
import { LINE_LIMIT_BYTES } from '../../../contract/line-splitter.ts';
import type { SessionEntry } from '../../../contract/messages.ts';
import { encodeList } from '../../../daemon-lite/server/snapshot.ts';

function entry(id: string, more: Partial<SessionEntry> = {}): SessionEntry {
  return {
    session_id: id,
    agent: 'claude',
    state: 'idle',
    source: { kind: 'terminal' },
    last_event: 'stop',
    started_at: '2026-10-03T03:39:00.000Z',
    last_seen: '2026-10-03T03:39:00.000Z',
    ...more,
  };
}

function decode(line: string): SessionEntry[] {
  return (JSON.parse(line) as { payload: { sessions: SessionEntry[] } }).payload.sessions;
}

describe('a snapshot as a line', () => {
  it('is the reply with every row', () => {
    const rows = [entry('a'), entry('b', { transcript_path: '/t' })];
    expect(encodeList(rows)).toBe(`${JSON.stringify({ ok: true, payload: { sessions: rows } })}\n`);
  });

  it('fits the line limit whatever the rows hold', () => {
    const rows = Array.from({ length: 512 }, (_, at) =>
      entry(String(at).padStart(3, '0'), {
        cwd: `/${'\u0001'.repeat(8_000)}`,
        transcript_path: `/${'é'.repeat(8_000)}`,
        last_seen: new Date(Date.UTC(2026, 9, 3, 0, 0, (at * 7) % 512)).toISOString(),
      }),
    );
    const line = encodeList(rows);
    expect(Buffer.byteLength(line) - 1).toBeLessThanOrEqual(LINE_LIMIT_BYTES);
    const kept = decode(line);
    expect(kept.length).toBeGreaterThan(10);
    const leastKept = kept.map(({ last_seen }) => last_seen).sort()[0] ?? '';
    const dropped = rows.filter(({ session_id }) => !kept.some((row) => row.session_id === session_id));
    for (const row of dropped) expect(row.last_seen <= leastKept).toBe(true);
  });

  it('gives up transcript paths before rows', () => {
    const rows = [entry('a', { transcript_path: 'x'.repeat(500) }), entry('b')];
    const kept = decode(encodeList(rows, 600));
    expect(kept.map(({ session_id }) => session_id)).toEqual(['a', 'b']);
    expect(kept[0]).not.toHaveProperty('transcript_path');
  });
});
