import type { SessionEvent } from '../../contract/events.ts';
import { sanitize } from '../../contract/sanitize.ts';
import type { FeedReading, WhyPayload } from '../../contract/why.ts';
import { fitCell } from './cells.ts';
import { shortDuration } from './duration.ts';
import { lookOf } from './states.ts';

/** The payload of a `why` reply, or undefined when it has another shape. */
export function asWhy(payload: unknown): WhyPayload | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  if (!('session_id' in payload && 'state' in payload && 'readings' in payload)) return undefined;
  return Array.isArray(payload.readings) ? (payload as WhyPayload) : undefined;
}

/** The layers of one session for a person: what decides first, then each feed's last word, then who owns the session. */
export function whyLines(why: WhyPayload): string[] {
  return [
    `session   ${shown(why.session_id)}`,
    `state     ${word(why.state)}, decided by ${shown(why.decided_by)}: ${shown(why.rule)}`,
    `process   ${processText(why)}`,
    ...why.subagent_waits.map((wait) => `subagent  ${shown(wait.agent_id)} ${word(wait.state)}`),
    `expires   in ${shortDuration(why.ttl_left_s * 1000)} unless it is heard of again`,
    '',
    '  RANK FEED            STATE         AGE    LAST EVENT                           WHY',
    ...why.readings.map(readingLine),
  ];
}

function readingLine(reading: FeedReading): string {
  const cells = [
    reading.decides ? '→' : ' ',
    fitCell(shown(reading.rank), 4),
    fitCell(shown(reading.feed), 15),
    fitCell(word(reading.state), 13),
    fitCell(shortDuration(reading.age_s * 1000), 6),
    fitCell(eventText(reading.last_event), 36),
    `${shown(reading.rule)}${reading.pid === undefined ? '' : ` (pid ${shown(reading.pid)})`}`,
  ];
  return cells.join(' ');
}

function processText(why: WhyPayload): string {
  const owner = why.pid === undefined ? 'not known' : `pid ${shown(why.pid)}`;
  const replaced =
    why.replaced_pids.length === 0 ? '' : `, took over from ${why.replaced_pids.map(shown).join(', ')}`;
  return `${owner}${replaced}${why.prompted ? ', has been prompted' : ', never prompted'}`;
}

function eventText(event: SessionEvent): string {
  if (typeof event === 'string') return shown(event);
  return Object.entries(event)
    .map(([kind, value]) => `${shown(kind)}: ${shown(value)}`)
    .join(', ');
}

function word(state: string): string {
  return lookOf(shown(state)).listWord;
}

function shown(value: unknown): string {
  return sanitize(String(value));
}
