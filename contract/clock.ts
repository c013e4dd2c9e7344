/** Time as every decision gets it, so that tests can own it. */
export interface Clock {
  /** Wall-clock milliseconds since 1970. May jump. */
  wall(): number;
  /** Milliseconds during which the machine was awake, from an arbitrary start. Never jumps, never goes back. */
  awake(): number;
}

/** RFC 3339 in UTC with milliseconds, the form of every timestamp we write. */
export function rfc3339(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

/** Milliseconds since 1970 of an RFC 3339 text, or undefined when it is not one. */
export function parseRfc3339(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? undefined : parsed;
}
