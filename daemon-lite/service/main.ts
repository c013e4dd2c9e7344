import { OmniDevError } from '../../contract/errors.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { Log } from '../diagnostics/log.ts';
import { descriptorSink, logFileSink, openLogFile } from '../diagnostics/log-file.ts';
import { parseLogFilter } from '../diagnostics/log-filter.ts';
import { chooseLogLevel } from '../diagnostics/log-level.ts';
import { takeActivation } from './activation.ts';
import { type DaemonArguments, parseDaemonArguments } from './arguments.ts';
import { Daemon } from './daemon.ts';
import { preferSmallMemory } from './memory.ts';

const STANDARD_ERROR = 2;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The daemon in the foreground, logging to standard error: `dist/daemon.cjs [run] [--socket P] [--services CSV]`. Ends
 * the process when the daemon has stopped.
 */
export async function run(argv: readonly string[]): Promise<void> {
  const parsed = parseDaemonArguments(argv, process.env);
  if ('usage' in parsed) return fail(parsed.usage, 2);
  preferSmallMemory();
  const { descriptor, meantFor } = takeActivation();
  const around = currentSurroundings();
  const choice = chooseLogLevel(around);
  const filter = parseLogFilter(choice.filter);
  const log = new Log(filter, sinkFor(parsed));
  const records = log.target('omni_dev::daemon');
  records.debug('log_level', { origin: choice.origin, filter: choice.filter });
  if (choice.problem !== undefined) records.warn('settings_ignored', { problem: choice.problem });
  for (const directive of filter.invalid) records.warn('log_directive_ignored', { directive });
  for (const name of parsed.unknownServices) records.warn('unknown_service_skipped', { service: name });
  if (meantFor !== undefined) records.warn('handed_over_socket_not_ours', { meant_for: meantFor });

  const paths = resolvePaths(around, parsed.socket);
  const daemon = new Daemon({ around, paths, log, ...(descriptor === undefined ? {} : { descriptor }) });
  // Sessions go on without us, we should too: a defect in one request or feed must not take the others down.
  process.on('uncaughtException', (error) => records.error('uncaught_exception', describe(error)));
  process.on('unhandledRejection', (error) => records.error('unhandled_rejection', describe(error)));
  for (const signal of SIGNALS) process.on(signal, () => void daemon.stop(signal));
  try {
    await daemon.start();
  } catch (error) {
    return fail(error instanceof OmniDevError ? error.message : String(error), 1);
  }
  await daemon.stopped;
  process.exit(0);
}

function sinkFor(parsed: DaemonArguments) {
  if (parsed.logFile === undefined) return descriptorSink(STANDARD_ERROR);
  return logFileSink(openLogFile(parsed.logFile));
}

/** Name and place of an error of ours. The message may quote input and is left out. */
function describe(error: unknown): { error: string; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const at = error.stack
    ?.split('\n')
    .find((line) => line.trimStart().startsWith('at '))
    ?.trim();
  return { error: error.name, ...(at === undefined ? {} : { at }) };
}

function fail(message: string, code: number): void {
  process.stderr.write(`${message}\n`, () => process.exit(code));
}

if (require.main === module) void run(process.argv.slice(2));
