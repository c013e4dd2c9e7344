import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRfc3339, rfc3339 } from '../../contract/clock.ts';

describe('rfc3339', () => {
  it('is what JavaScript itself writes, for every millisecond', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(rfc3339(date.getTime())).toBe(date.toISOString());
      }),
    );
  });

  it('pads every part of it', () => {
    expect(rfc3339(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(rfc3339(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006Z');
    expect(rfc3339(Date.UTC(10_000, 0) - 1)).toBe('9999-12-31T23:59:59.999Z');
  });

  it('cuts fractions of a millisecond, as JavaScript does', () => {
    expect(rfc3339(1234.9)).toBe(new Date(1234.9).toISOString());
  });

  it('is read back as the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (time) => {
        expect(parseRfc3339(rfc3339(time))).toBe(time);
      }),
    );
  });

  it('refuses what is no time', () => {
    expect(() => rfc3339(Number.NaN)).toThrow(RangeError);
  });
});
