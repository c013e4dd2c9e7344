import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Command lines of every process we may see, words separated by blanks. Best effort: empty where nothing can be seen. */
export function commandLinesOfProcesses(): string[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): string[] {
  const lines: string[] = [];
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      lines.push(fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // Gone since, or another user's.
    }
  }
  return lines;
}

function fromPs(): string[] {
  const ran = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8', timeout: 5_000 });
  return typeof ran.stdout === 'string' ? ran.stdout.split('\n') : [];
}
