import { resolvePaths } from '../../contract/paths.ts';
import { StateReporter } from '../../contract/state-reporter.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { autostartIsOff, sendAndStartWhenAbsent, startDaemon } from '../shared/daemon-start.ts';
import { agentPid, pidNamespace } from './agent-pid.ts';
import { isOneShot } from './arguments.ts';
import { MetadataLog, metadataLogPath } from './metadata-log.ts';
import { Observer } from './observer.ts';
import type { Direction } from './stream-line.ts';

export interface ObserveOptions {
  command: readonly string[];
  childPid: number;
  socket: string | undefined;
  /** Folder of this program, where the daemon's lies too. */
  programDir: string;
  onModel(model: string): void;
}

/** What watches this process's child. */
export interface Observation {
  observer: Observer;
  /** What reads each direction's bytes. */
  readers: Record<Direction, (chunk: Buffer) => void>;
  /** Reports the end, closes the log. Bounded: END_MS and the log's 200 ms at most. */
  finish(exitCode: number): Promise<void>;
}

/** Sets up everything that watches a running child. Loaded after the child was started, never before. */
export function observe({ command, childPid, socket, programDir, onModel }: ObserveOptions): Observation {
  const around = currentSurroundings();
  const logPath = metadataLogPath(around.env);
  const log = logPath === undefined ? undefined : new MetadataLog(logPath);
  log?.write('process_start', { pid: childPid });
  const reporter = new StateReporter({
    socket: resolvePaths(around, socket).socket,
    ...(autostartIsOff(around.env)
      ? {}
      : { send: sendAndStartWhenAbsent(() => startDaemon(programDir, socket)) }),
    ...(log === undefined ? {} : { onOutcome: (op, outcome) => log.write('report', { op, outcome }) }),
  });
  const observer = new Observer({
    reporter,
    agentPid: (named) => agentPid(childPid, named),
    oneShot: isOneShot(command),
    pidNamespace: pidNamespace(),
    log,
    onModel,
  });
  const finish = async (code: number) => {
    await observer.finish();
    log?.write('process_exit', { pid: childPid, code });
    await log?.close();
  };
  const readers = { from_claude: observer.reader('from_claude'), to_claude: observer.reader('to_claude') };
  return { observer, readers, finish };
}
