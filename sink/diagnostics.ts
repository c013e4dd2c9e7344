const TARGET = 'omni_dev::cli::sessions';
const LEVELS = ['off', 'error', 'warn', 'info', 'debug', 'trace'];

/** The level that a filter text sets for the sink's target: its longest matching target wins, else the bare level. */
function levelFor(filter: string): number {
  let level = -1;
  let longest = -1;
  for (const part of filter.split(',')) {
    const [left = '', right] = part.trim().split('=');
    const target = right === undefined ? '' : left;
    const index = LEVELS.indexOf((right ?? left).toLowerCase());
    if (index === -1 || !TARGET.startsWith(target) || target.length <= longest) continue;
    longest = target.length;
    level = index;
  }
  return level;
}

/** Says one thing that the sink did. */
export type HookDiagnostics = (
  event: string,
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/**
 * Diagnostics of the hook sink: lines on stderr when RUST_LOG asks for them, never on stdout, never content. Undefined
 * while nobody asks, which costs one look at the environment.
 */
export function hookDiagnostics(
  filter: string | undefined,
  write: (line: string) => void,
): HookDiagnostics | undefined {
  if (filter === undefined || levelFor(filter) < LEVELS.indexOf('debug')) return undefined;
  return (event, fields) => {
    const text = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(' ');
    write(`DEBUG ${TARGET}: ${event} ${text}\n`);
  };
}
