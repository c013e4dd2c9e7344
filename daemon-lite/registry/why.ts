import type { FeedReading, WhyPayload } from '../../contract/why.ts';
import { SESSION_TTL_MS } from './limits.ts';
import type { Moment, SessionRow } from './session-row.ts';
import { rankOf } from './sighting.ts';

const seconds = (ms: number): number => Math.max(0, Math.round(ms / 100) / 10);

/** The layers of one row, highest rank first: each feed's last word, its age, and which one decides by which rule. */
export function explain(row: SessionRow, now: Moment): WhyPayload {
  const verdict = row.decide(now.awake);
  const readings = [...exactReadings(row, now), ...recordReadings(row, now), ...inferredReadings(row, now)];
  const fitting = readings.filter((reading) => reading.feed === verdict.feed && reading.attached);
  const decider = fitting.find((reading) => reading.state === verdict.state) ?? fitting[0] ?? readings[0];
  for (const reading of readings) {
    reading.decides = reading === decider;
    if (reading.decides) reading.rule = verdict.rule;
  }
  const { owner, replaced } = row.ownership;
  return {
    session_id: row.id,
    state: verdict.state,
    decided_by: verdict.feed,
    rule: verdict.rule,
    readings: readings.sort((left, right) => right.rank - left.rank),
    ...(owner === undefined ? {} : { pid: owner.pid }),
    replaced_pids: replaced.map(({ pid }) => pid),
    prompted: row.prompted,
    subagent_waits: [...row.inferred.subagentWaits].map(([agent_id, state]) => ({ agent_id, state })),
    ttl_left_s: seconds(row.lastSeenAwake + SESSION_TTL_MS - now.awake),
  };
}

function exactReadings(row: SessionRow, now: Moment): FeedReading[] {
  return [...row.exact.values()].map((layer) => {
    const attached = layer.attached(now.awake);
    return {
      feed: layer.feed,
      rank: rankOf(layer.feed),
      state: layer.state,
      last_event: layer.lastEvent,
      age_s: seconds(now.awake - layer.reportedAwake),
      ...(layer.process === undefined ? {} : { pid: layer.process.pid }),
      attached,
      decides: false,
      rule: attached
        ? 'attached, but another exact feed reported later'
        : `detached: ${layer.detachedBecause}`,
    };
  });
}

function recordReadings(row: SessionRow, now: Moment): FeedReading[] {
  return [...row.records.values()].flatMap((record) => {
    if (record.state === undefined) return [];
    const attached = record.attached(now.awake);
    return {
      feed: 'claude_record' as const,
      rank: rankOf('claude_record'),
      state: record.state,
      last_event: { stream_state: record.state },
      age_s: seconds(now.wall - record.statusAt),
      pid: record.pid,
      attached,
      decides: false,
      rule: attached
        ? 'underneath a feed of higher rank or another process'
        : 'detached: it did not confirm a prompt that a hook reported',
    };
  });
}

function inferredReadings(row: SessionRow, now: Moment): FeedReading[] {
  const { state, feed, lastEvent } = row.inferred;
  if (state === undefined) return [];
  return [
    {
      feed,
      rank: rankOf(feed),
      state,
      last_event: lastEvent,
      age_s: seconds(now.awake - row.lastSeenAwake),
      attached: true,
      decides: false,
      rule: 'underneath a feed of higher rank',
    },
  ];
}
