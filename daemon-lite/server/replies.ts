/** Replies as finished lines. `payload` is omitted when there is none. */
export function okLine(payload?: unknown): string {
  return payload === undefined || payload === null
    ? '{"ok":true}\n'
    : `{"ok":true,"payload":${JSON.stringify(payload)}}\n`;
}

export function errorLine(error: string): string {
  return `{"ok":false,"error":${JSON.stringify(error)}}\n`;
}

/** The reply to an accepted `observe` or `window`, by far the most frequent one. */
export const ACCEPTED_LINE = okLine({ ok: true });
