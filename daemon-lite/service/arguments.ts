import path from 'node:path';

/** Services that this daemon can host. */
export const KNOWN_SERVICES = ['sessions'] as const;

export interface DaemonArguments {
  /** Absolute path of `--socket`; absent is the default. */
  socket?: string;
  /** Where a daemon in the background logs; absent is standard error. */
  logFile?: string;
  /** Names asked for that nobody knows: skipped with a warning. */
  unknownServices: string[];
}

const USAGE = 'usage: daemon run [--socket PATH] [--services CSV]';

/** Values of the options, by name. */
interface Options {
  socket?: string;
  services?: string;
  'log-file'?: string;
}

/**
 * Reads the arguments of the daemon program. `--services` (or OMNI_DEV_DAEMON_SERVICES) chooses what is hosted; nothing
 * valid means all, and there is one service, so it never changes what runs. `--no-menu` is taken and means nothing.
 */
export function parseDaemonArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DaemonArguments | { usage: string } {
  const options = readOptions(argv[0] === 'run' ? argv.slice(1) : argv);
  if (options === undefined) return { usage: USAGE };
  const services = (options.services ?? env.OMNI_DEV_DAEMON_SERVICES ?? '').split(',');
  const known = new Set<string>(KNOWN_SERVICES);
  return {
    ...(options.socket === undefined ? {} : { socket: path.resolve(options.socket) }),
    ...(options['log-file'] === undefined ? {} : { logFile: path.resolve(options['log-file']) }),
    unknownServices: services.map((name) => name.trim()).filter((name) => name !== '' && !known.has(name)),
  };
}

function readOptions(argv: readonly string[]): Options | undefined {
  const options: Options = {};
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--no-menu') continue;
    const [, name, inline] = /^--(socket|services|log-file)(?:=(.*))?$/s.exec(word) ?? [];
    const value = inline ?? argv[++at];
    if (name === undefined || value === undefined || value === '') return undefined;
    options[name as keyof Options] = value;
  }
  return options;
}
