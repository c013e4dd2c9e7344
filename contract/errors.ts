/** Errors that a person may see. The code is stable and documented in docs/errors.md; the message names the fix. */
export class OmniDevError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OmniDevError';
    this.code = code;
  }
}

/** The code of a Node system error (`ENOENT`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
