import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds the programs once per test run: tests start the real ones from dist/. OMNI_DEV_TEST_NO_BUILD=1 keeps dist/. */
export default function buildOnce(): void {
  if (process.env.OMNI_DEV_TEST_NO_BUILD === '1') return;
  execFileSync(process.execPath, ['build.mjs'], {
    cwd: path.join(import.meta.dirname, '../..'),
    stdio: 'inherit',
  });
}
