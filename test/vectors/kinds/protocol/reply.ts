import { expect } from 'vitest';
import { withoutAdditive } from '../../compare.ts';

export interface ReplyRules {
  /** Every given key has to be there; without it the keys have to be the same. */
  subset?: boolean;
  error_contains?: string[];
  error_equals?: string;
}

const RFC3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}|\d{6}|\d{9}))?Z$/;

/** Compares one reply line with what a case expects. */
export function expectReply(actual: unknown, expected: unknown, rules: ReplyRules): void {
  const error = isObject(actual) ? actual.error : undefined;
  for (const part of rules.error_contains ?? []) expect(error).toContain(part);
  if (rules.error_equals !== undefined) expect(error).toBe(rules.error_equals);
  const isError = rules.error_contains !== undefined || rules.error_equals !== undefined;
  const pattern = toPattern(actual, expected, rules.subset === true || isError);
  expect(actual).toEqual(pattern);
}

/** Turns the expectation into a pattern for `actual`: placeholders become matchers, allowed extra keys are copied. */
function toPattern(actual: unknown, expected: unknown, subset: boolean): unknown {
  if (expected === '@string') return expect.any(String);
  if (expected === '@rfc3339_utc') return expect.stringMatching(RFC3339_UTC);
  if (Array.isArray(expected))
    return expected.map((item, at) =>
      toPattern(Array.isArray(actual) ? actual[at] : undefined, item, subset),
    );
  if (!isObject(expected) || !isObject(actual)) return expected;
  const contract = 'session_id' in actual ? withoutAdditive(actual, expected) : actual;
  const extra = Object.entries(actual).filter(
    ([key]) => !(key in expected) && (subset || !(key in contract)),
  );
  const given = Object.entries(expected).map(([key, value]) => [key, toPattern(actual[key], value, subset)]);
  return Object.fromEntries([...extra, ...given]) as unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
