import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEEDS, OUTCOMES, PLAIN_EVENTS, SESSION_STATES } from '../../../contract/events.ts';
import { endSchema, observeSchema, windowSchema } from '../../../contract/schema/wire.ts';
import {
  FOLDERS_LIMIT,
  PATH_LIMIT,
  readEnd,
  readObserve,
  readWindow,
  WORD_LIMIT,
} from '../../../daemon-lite/server/payloads.ts';

/** Values that fit nowhere, or in some other key. */
const junk = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 4242, '', ' ', 'x', '2026-10-03T03:40:23.186Z', 2 ** 60),
  fc.string({ maxLength: 12 }),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
  fc.object({ maxDepth: 1, maxKeys: 2 }),
);

const event = fc.oneof(
  fc.constantFrom(...PLAIN_EVENTS),
  fc.constantFrom(...SESSION_STATES).map((stream_state) => ({ stream_state })),
  fc.constantFrom('idle_prompt', 'other', 'loud').map((notification) => ({ notification })),
);
const stamp = fc.record({
  ts: fc.constantFrom('2026-10-03T03:40:23.186Z', '2026-10-03T03:40:23+02:00', 'yesterday'),
  seq: fc.constantFrom('1-1', ''),
});
const background = fc.record({ subagents: fc.constantFrom(0, 2, -1), shells: fc.constantFrom(0, 1.5, 3) });

/** Mostly the fitting value, else junk, else nothing: so that whole payloads pass often enough. */
function often(fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting },
    { weight: 1, arbitrary: junk },
    { weight: 6, arbitrary: fc.constant(undefined) },
  );
}

const text = fc.string({ maxLength: 8 });
const observePayload = fc.record({
  session_id: often(text),
  event: fc.oneof({ weight: 9, arbitrary: event }, { weight: 1, arbitrary: junk }),
  cwd: often(text),
  transcript_path: often(text),
  repo: often(text),
  model: often(text),
  agent: often(fc.constantFrom('claude', 'codex', 'pi')),
  agent_id: often(text),
  pid: often(fc.nat()),
  stamp: often(stamp),
  feed: often(fc.constantFrom(...FEEDS)),
  pid_ns: often(text),
  background: often(background),
  outcome: often(fc.constantFrom(...OUTCOMES)),
  hook: often(text),
  prompt_id: often(text),
  turn_id: often(text),
  tool_use_id: often(text),
  unknown_words: often(fc.dictionary(text, fc.constantFrom(0, 1, 7, -1, 'x'), { maxKeys: 2 })),
  unknown_key: often(text),
});

/** What a schema gives, without the keys that it leaves undefined. */
function defined(value: object): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

describe('payload checks agree with the schemas of the contract', () => {
  it('for observe', () => {
    let accepted = 0;
    fc.assert(
      fc.property(observePayload, (drawn) => {
        const payload = defined(drawn);
        const schema = observeSchema.safeParse(payload);
        const ours = readObserve(payload);
        expect('value' in ours).toBe(schema.success);
        if (!schema.success || !('value' in ours)) return;
        accepted++;
        expect(ours.value).toEqual(defined(schema.data));
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('for end', () => {
    const payload = fc.record({
      session_id: often(text),
      reason: often(text),
      pid: often(fc.nat()),
      stamp: often(stamp),
      feed: often(fc.constantFrom(...FEEDS)),
      pid_ns: often(text),
    });
    fc.assert(
      fc.property(payload, (drawn) => {
        const schema = endSchema.safeParse(defined(drawn));
        expect(readEnd(defined(drawn))).toEqual(schema.success ? defined(schema.data) : undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  it('for window', () => {
    const payload = fc.record({
      key: often(text),
      folders: often(fc.array(text, { maxLength: 3 })),
      tabs: often(fc.nat()),
      terminals: often(fc.nat()),
    });
    fc.assert(
      fc.property(payload, (drawn) => {
        const schema = windowSchema.safeParse(defined(drawn));
        const ours = readWindow(defined(drawn));
        expect('value' in ours).toBe(schema.success);
        if (schema.success && 'value' in ours) expect(ours.value).toEqual(schema.data);
      }),
      { numRuns: 2_000 },
    );
  });

  it('for values that are no objects', () => {
    fc.assert(
      fc.property(fc.oneof(junk, fc.array(junk)), (payload) => {
        expect('value' in readObserve(payload)).toBe(observeSchema.safeParse(payload).success);
        expect(readEnd(payload) !== undefined).toBe(endSchema.safeParse(payload).success);
        expect('value' in readWindow(payload)).toBe(windowSchema.safeParse(payload).success);
      }),
    );
  });
});

describe('a payload is bounded', () => {
  const base = { session_id: 's', event: 'stop' };

  it.each([
    ['session_id', WORD_LIMIT],
    ['cwd', PATH_LIMIT],
    ['transcript_path', PATH_LIMIT],
    ['model', WORD_LIMIT],
    ['agent_id', WORD_LIMIT],
  ])('%s up to %i characters', (key, limit) => {
    expect(readObserve({ ...base, [key]: 'x'.repeat(limit) })).toHaveProperty('value');
    expect(readObserve({ ...base, [key]: 'x'.repeat(limit + 1) })).toEqual({
      problem: `\`${key}\` is too long`,
    });
  });

  it('drops additive words that are too long instead of refusing the sighting', () => {
    expect(readObserve({ ...base, prompt_id: 'x'.repeat(WORD_LIMIT + 1) })).toEqual({ value: base });
  });

  it('refuses more folders than any window has', () => {
    const folders = Array.from({ length: FOLDERS_LIMIT + 1 }, () => '/a');
    expect(readWindow({ key: 'w', folders })).toHaveProperty('problem');
  });

  it('says which key is wrong, never its value', () => {
    expect(readObserve({ ...base, cwd: 5 })).toEqual({ problem: '`cwd` must be a string' });
    expect(readObserve({ ...base, agent: 'secret' })).toEqual({ problem: '`agent` is unknown' });
  });
});
