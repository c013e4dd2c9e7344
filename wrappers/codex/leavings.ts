import { execFile } from 'node:child_process';
import { promises } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeSocketFiles, socketName, wrapperPidOf } from './socket-files.ts';

/** A process and its command line, words separated by blanks. */
export interface RunningProcess {
  pid: number;
  commandLine: string;
}

const STOP_STEP_MS = 1_000;

/** Every process whose command line can be read. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<RunningProcess[]> {
  if (platform !== 'linux') return parseProcessList(await ps());
  const pids = (await promises.readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const read = pids.map(async (pid) => {
    const words = await promises.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return { pid, commandLine: words.replaceAll('\0', ' ').trim() };
  });
  return Promise.all(read);
}

function ps(): Promise<string> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 16 * 1024 * 1024, timeout: 5_000 };
    execFile('ps', ['-axww', '-o', 'pid=,command='], options, (_, stdout) => resolve(stdout));
  });
}

/** Parses the output of `ps -axww -o pid=,command=`. */
export function parseProcessList(output: string): RunningProcess[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, commandLine] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || commandLine === undefined ? [] : [{ pid: Number(pid), commandLine }];
  });
}

/** What wrappers that were killed left running and lying in a socket directory. */
export interface Leavings {
  socketPaths: string[];
  pids: number[];
}

/**
 * Finds what killed wrappers left. A process belongs to a wrapper when its command line names the wrapper's socket path,
 * and a wrapper lives when a process of its pid is a `codex-wrap`: so a pid that was given to somebody else since is
 * neither spared nor harmed.
 */
export function findLeavings(
  directory: string,
  names: readonly string[],
  processes: readonly RunningProcess[],
): Leavings {
  const isAlive = (wrapper: number) =>
    processes.some(({ pid, commandLine }) => pid === wrapper && commandLine.includes('codex-wrap'));
  const wrappers = new Set(names.flatMap((name) => wrapperPidOf(name) ?? []));
  const addresses = new RegExp(`unix://${literally(directory)}/codex-wrap-(\\d+)\\.sock(?: |$)`);
  const owned = processes.flatMap(({ pid, commandLine }) => {
    const wrapper = addresses.exec(commandLine)?.[1];
    return wrapper === undefined ? [] : [{ pid, wrapper: Number(wrapper) }];
  });
  for (const { wrapper } of owned) wrappers.add(wrapper);
  const dead = [...wrappers].filter((wrapper) => !isAlive(wrapper));
  return {
    socketPaths: dead.map((wrapper) => path.join(directory, socketName(wrapper))),
    pids: owned.filter(({ wrapper }) => dead.includes(wrapper)).map(({ pid }) => pid),
  };
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Stops what killed wrappers left running and removes what they left lying. Never rejects. */
export async function removeLeavings(directory: string, uid: number): Promise<void> {
  try {
    const find = async () =>
      findLeavings(directory, await promises.readdir(directory), await listProcesses());
    const found = await find();
    if (found.socketPaths.length === 0) return;
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGKILL'] as const) {
      const { pids } = await find();
      if (pids.length === 0) break;
      for (const pid of pids) send(pid, signal);
      await sleep(STOP_STEP_MS, undefined, { ref: false });
    }
    for (const socketPath of found.socketPaths) removeSocketFiles(socketPath, uid);
  } catch {
    // The next run tries again.
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went by itself.
  }
}
