import { describe, expect, it } from 'vitest';
import { compareStates, type ExpectedState, parseStates } from './compare-states.ts';

/** The states of a text, a second apart. */
function expectedStates(text: string): ExpectedState[] {
  return parseStates(text).map((state, index) => ({ ...state, t: index * 1_000 }));
}

function seenStates(text: string) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((state, index) => ({ state, t: index * 1_000 + 40 }));
}

const accepts = (expected: string, seen: string) =>
  compareStates(expectedStates(expected), seenStates(seen)).ok;

describe('comparing the states that were seen with the expected ones', () => {
  it('accepts the same sequence and tells how late each state was that is not optional', () => {
    const states = 'starting working idle ended';
    const comparison = compareStates(expectedStates('starting? working idle ended'), seenStates(states));
    expect(comparison).toEqual({ ok: true, delays: [40, 40, 40] });
  });

  it('refuses a missing, an additional and a swapped state', () => {
    expect(accepts('working idle ended', 'working ended')).toBe(false);
    expect(accepts('working idle', 'working waiting_for_input idle')).toBe(false);
    expect(accepts('working idle', 'idle working')).toBe(false);
    expect(accepts('working idle', '')).toBe(false);
    expect(accepts('working', 'working idle')).toBe(false);
  });

  it('accepts that an optional state was not seen, and that it was', () => {
    expect(accepts('starting? idle? working', 'working')).toBe(true);
    expect(accepts('starting? idle? working', 'idle working')).toBe(true);
    expect(accepts('starting? idle? working', 'idle starting working')).toBe(false);
  });

  it('counts equal neighbours once where the state between them was not seen', () => {
    expect(accepts('working idle? working ended', 'working ended')).toBe(true);
    expect(accepts('working idle? working ended', 'working idle working ended')).toBe(true);
    expect(accepts('working idle working ended', 'working ended')).toBe(false);
  });

  it('says what differs', () => {
    const comparison = compareStates(expectedStates('starting? working'), seenStates('idle'));
    expect(comparison).toEqual({ ok: false, reason: 'expected (starting) > working\n    seen idle' });
  });
});
