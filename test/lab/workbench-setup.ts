import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Installs the programs of the workbench suite. A suite that cannot run fails, with the installer's `NOT RUN` line. */
export default function installWorkbench(): void {
  for (const script of [['install-workbench.mjs'], ['install-agents.mjs', 'claude']]) {
    const [file = '', ...args] = script;
    const run = spawnSync(process.execPath, [path.join(import.meta.dirname, file), ...args], {
      stdio: 'inherit',
    });
    if (run.status !== 0) throw new Error(`NOT RUN: ${script.join(' ')} did not succeed`);
  }
}
