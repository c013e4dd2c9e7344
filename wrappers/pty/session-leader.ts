import { existsSync, readFileSync } from 'node:fs';

/** Where dash is. Other shells hand the terminal over only while their own errors go to it, and talk there themselves. */
const SHELLS = ['/bin/dash', '/usr/bin/dash'];
/**
 * Runs the program as a shell runs a job: in a process group of its own, in the foreground. When it stops, so does the
 * shell, which its parent sees; when the shell goes on, so does the program. What the shell itself has to say goes nowhere.
 */
const SCRIPT = [
  'exec 9>&2 2>/dev/null',
  'set -m',
  '(exec "$@" 2>&9 9>&-)',
  's=$?',
  'while jobs %% >/dev/null; do kill -STOP $$; fg >/dev/null; s=$?; done',
  'exit $s',
].join('; ');

/** What a shell hands on of its environment: other names it drops, and these it sets itself. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SHELL_NAMES: ReadonlySet<string> = new Set(['IFS', 'PPID', 'OPTIND', 'LINENO']);

export type Words = readonly [string, ...string[]];

/**
 * The words that start a program below a leader of its session, or undefined where it has to be the leader itself.
 *
 * A process group whose parents are all outside of its session is orphaned, and the kernel lets no stop key stop it. So
 * where stops can be shared (Linux), a shell stands above the program. One that would change the program's environment
 * stays out.
 */
export function belowLeader(
  command: Words,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Words | undefined {
  const shell = platform === 'linux' ? SHELLS.find((file) => existsSync(file)) : undefined;
  if (shell === undefined) return undefined;
  const survives = (name: string) => PLAIN_NAME.test(name) && !SHELL_NAMES.has(name);
  if (!Object.keys(env).every(survives)) return undefined;
  return [shell, '-c', SCRIPT, 'sh', ...command];
}

/** The program below a leader: the leader's only child. Undefined before it was started and after it ended. */
export function programBelow(leader: number): number | undefined {
  try {
    const child = Number(readFileSync(`/proc/${leader}/task/${leader}/children`, 'latin1').split(' ')[0]);
    return child > 0 ? child : undefined;
  } catch {
    return undefined;
  }
}
