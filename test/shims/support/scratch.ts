import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that is gone after the test. The name ends in `suffix`, for homes with odd characters. */
export function scratchFolder(suffix = ''): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-shims-'));
  made.push(folder);
  return suffix === '' ? folder : path.join(folder, suffix);
}
