import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CapturedLine } from './capture.ts';
import { type ExpectedChange, expectedChanges } from './expected-states.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures/claude');
const names = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.expect.json'))
  .map((name) => name.replace('.expect.json', ''));

function readCapture(name: string): CapturedLine[] {
  const text = readFileSync(path.join(FIXTURES, `${name}.jsonl`), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as CapturedLine);
}

/** The changes of the state alone, as the captures' expectations list them. */
function stateChanges(changes: ExpectedChange[]) {
  return changes
    .map(({ state, index, earliest }) => ({ state, index, earliest }))
    .filter(({ state }, at, all) => state !== 'ended' || at === all.length - 1)
    .filter(({ state }, at, all) => state !== all[at - 1]?.state);
}

describe("the lab's reading of a capture", () => {
  it('has captures to read', () => {
    expect(names.length).toBeGreaterThan(30);
  });

  it.each(names)('%s: changes state where the expectation says', (name) => {
    const expectation = JSON.parse(readFileSync(path.join(FIXTURES, `${name}.expect.json`), 'utf8')) as {
      changes: ExpectedChange[];
    };
    expect(stateChanges(expectedChanges(readCapture(name)))).toEqual(expectation.changes);
  });

  it('ends the old session at a conversation reset and names the new one', () => {
    const named = expectedChanges(readCapture('clear')).filter(({ session_id }) => session_id !== undefined);
    const ids = [...new Set(named.map(({ session_id }) => session_id))];
    expect(ids).toHaveLength(2);
    const statesOf = (id: string | undefined) =>
      named.filter(({ session_id }) => session_id === id).map(({ state }) => state);
    expect(statesOf(ids[0])).toEqual(['starting', 'idle', 'working', 'idle', 'working', 'ended']);
    expect(statesOf(ids[1])).toEqual(['working', 'idle', 'working', 'idle', 'ended']);
  });
});
