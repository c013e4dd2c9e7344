import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import path from 'node:path';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { openLogFile } from '../diagnostics/log-file.ts';
import { prepareRuntimeDirectory } from './runtime-directory.ts';

export interface LaunchOptions {
  paths: Paths;
  around: Surroundings;
  /** The daemon program, `dist/daemon.cjs`. */
  bundle: string;
  /** Names for `--services`, comma separated. */
  services?: string;
}

/** Variables that belong to the starting process alone: a debugger's port or a channel to its parent. */
const NOT_INHERITED = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_V8_COVERAGE'];

/** A daemon that was spawned; whether it serves is asked on its socket. */
export interface Launched {
  pid: number | undefined;
  /** Resolves with its exit code (or signal) when it ends. */
  exited: Promise<number | string>;
}

/**
 * Spawns the daemon detached: a session of its own, no standard input, output appended to its log, `/` as directory so
 * that it holds no file system busy. Returns at once.
 *
 * @throws OmniDevError when the runtime directory cannot be used; a system error when the log cannot be opened
 */
export function launchDaemon(options: LaunchOptions): Launched {
  const { paths, around } = options;
  const directory = path.dirname(paths.log);
  prepareRuntimeDirectory(directory, around.uid, directory === paths.runtimeDir);
  const log = openLogFile(paths.log);
  try {
    const child = spawn(process.execPath, [options.bundle, ...daemonArguments(options)], {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: '/',
      env: inheritedEnvironment(around),
    });
    child.unref();
    const exited = new Promise<number | string>((resolve) => {
      child.once('error', () => resolve('not started'));
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    return { pid: child.pid, exited };
  } finally {
    closeSync(log);
  }
}

function daemonArguments({ paths, services }: LaunchOptions): string[] {
  const named = services === undefined ? [] : ['--services', services];
  // The short path that stands in for a long default is no `--socket`: journals stay where the sinks write them.
  const socket = paths.socketIsFallback ? [] : ['--socket', path.resolve(paths.socket)];
  return ['run', ...socket, '--log-file', path.resolve(paths.log), ...named];
}

function inheritedEnvironment(around: Surroundings): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(around.env).filter(([name]) => !NOT_INHERITED.includes(name)));
}
