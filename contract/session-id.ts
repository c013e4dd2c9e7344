const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id as a file name, or undefined when it is not a canonical hyphenated UUID. Only such an id may become part of a
 * path: it cannot hold a separator, a dot or a control character. Upper case is lowered, so one session has one file.
 */
export function sessionFileName(sessionId: string): string | undefined {
  const lower = sessionId.toLowerCase();
  return CANONICAL_UUID.test(lower) ? lower : undefined;
}
