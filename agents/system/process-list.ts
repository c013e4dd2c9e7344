import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process and its command line. */
export interface RunningCommand {
  pid: number;
  /** Program and arguments as the process shows them. A program may have erased them. */
  args: readonly string[];
}

const PS_TIMEOUT_MS = 2_000;

/** The command lines of every process that can be seen, or undefined where they cannot be read at all. */
export function runningCommands(platform: NodeJS.Platform): RunningCommand[] | undefined {
  try {
    return platform === 'linux' ? fromProc() : fromPs();
  } catch {
    return undefined;
  }
}

function fromProc(): RunningCommand[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const args = argumentsOf(name);
    return args.length === 0 ? [] : [{ pid: Number(name), args }];
  });
}

/** No arguments for a process that is gone, belongs to the kernel or cannot be looked at. */
function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

function fromPs(): RunningCommand[] {
  const output = execFileSync('ps', ['-axo', 'pid=,command='], {
    encoding: 'utf8',
    timeout: PS_TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return parsePsCommands(output);
}

/** Parses the output of `ps -axo pid=,command=`. Arguments with spaces come apart, which ids never have. */
export function parsePsCommands(output: string): RunningCommand[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\S.*)$/.exec(line);
    return match?.[1] === undefined || match[2] === undefined
      ? []
      : [{ pid: Number(match[1]), args: match[2].trim().split(/\s+/) }];
  });
}
