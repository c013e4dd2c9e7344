/** Time as every decision gets it, so that tests can own it. */
export interface Clock {
  /** Wall-clock milliseconds since 1970. May jump. */
  wall(): number;
  /** Milliseconds during which the machine was awake, from an arbitrary start. Never jumps, never goes back. */
  awake(): number;
}

/** Start of the year 10000. */
const FIVE_DIGIT_YEARS_MS = Date.UTC(10_000, 0);

/**
 * RFC 3339 in UTC with milliseconds, the form of every timestamp we write. Put together by hand: the first toISOString of
 * a process takes most of a millisecond, and every hook is a process.
 *
 * @throws RangeError when the number is no time.
 */
export function rfc3339(wallMs: number): string {
  if (!(wallMs >= 0 && wallMs < FIVE_DIGIT_YEARS_MS)) return new Date(wallMs).toISOString();
  const date = new Date(wallMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day}T${time}.${String(date.getUTCMilliseconds()).padStart(3, '0')}Z`;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,3}(\d*))?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Milliseconds since 1970 of an RFC 3339 text, or undefined when it is not one. Fractions of a millisecond are kept: they
 * order events of other sinks, which stamp to the microsecond and finer.
 */
export function parseRfc3339(text: string): number | undefined {
  const matched = RFC3339.exec(text);
  const parsed = matched === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(parsed)) return undefined;
  return matched?.[1] ? parsed + Number(`0.${matched[1]}`) : parsed;
}
