import { expect } from 'vitest';

/** Keys that the contract names, by the kind of object they stand in. Anything else is additive and is not compared. */
const CONTRACT_KEYS = new Set([
  'session_id',
  'event',
  'cwd',
  'transcript_path',
  'repo',
  'model',
  'agent',
  'agent_id',
  'pid',
  'reason',
  'op',
  'payload',
  'v',
  'ts',
  'seq',
  'state',
  'source',
  'last_event',
  'started_at',
  'last_seen',
]);

/** Drops the additive keys that the case does not mention, as the vectors' schema says. */
export function withoutAdditive(value: object, expected: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key in expected || CONTRACT_KEYS.has(key)),
  );
}

/** Compares what we made with what the case expects, additive keys apart. */
export function expectSame(actual: object, expected: object): void {
  expect(withoutAdditive(actual, expected)).toEqual(expected);
}
