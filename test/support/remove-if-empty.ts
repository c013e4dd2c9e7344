import { rmdirSync } from 'node:fs';

/** Removes a folder that other tests may be using too, such as that of the short socket paths. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // In use, or gone.
  }
}
