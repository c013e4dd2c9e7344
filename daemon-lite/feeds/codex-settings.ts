import { statSync } from 'node:fs';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { readRegularFile } from '../../contract/regular-file.ts';

/**
 * The setting `codex.observeSharedServer` of the user's settings file, read again whenever the file changes. A file that
 * is not there, cannot be read or says something else leaves the observer on.
 */
export class SharedServerSetting {
  readonly #file: string;
  #readAt: number | undefined;
  #on = true;

  constructor(settingsFile: string) {
    this.#file = settingsFile;
  }

  get on(): boolean {
    const changedAt = modifiedAt(this.#file);
    if (changedAt !== this.#readAt) {
      this.#readAt = changedAt;
      this.#on = changedAt === undefined || observeSharedServerIn(readText(this.#file));
    }
    return this.#on;
  }
}

/** Reads the setting from the text of a settings file; comments are allowed. */
export function observeSharedServerIn(text: string): boolean {
  const errors: ParseError[] = [];
  const settings: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  if (typeof settings !== 'object' || settings === null || !('codex' in settings)) return true;
  const { codex } = settings;
  return !(
    typeof codex === 'object' &&
    codex !== null &&
    'observeSharedServer' in codex &&
    codex.observeSharedServer === false
  );
}

function modifiedAt(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  try {
    return readRegularFile(file);
  } catch {
    return '';
  }
}
