import { sanitize } from '../../contract/sanitize.ts';
import { type LogFilter, type LogLevel, rankFor, rankOf } from './log-filter.ts';

/** What a record says beside its name: ids, words, counts and paths. Never content. Undefined fields are left out. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** Takes finished lines, newline included. Must not throw. */
export type LogSink = (line: string) => void;

/** Records of one target. A level that is off costs one comparison. */
export class TargetLog {
  readonly #target: string;
  readonly #rank: number;
  readonly #sink: LogSink;
  readonly #now: () => number;

  constructor(target: string, rank: number, sink: LogSink, now: () => number) {
    this.#target = target;
    this.#rank = rank;
    this.#sink = sink;
    this.#now = now;
  }

  /** True when records of this level are written: ask before building fields on a hot path. */
  enabled(level: LogLevel): boolean {
    return rankOf(level) <= this.#rank;
  }

  error(name: string, fields?: LogFields): void {
    this.#write('error', name, fields);
  }

  warn(name: string, fields?: LogFields): void {
    this.#write('warn', name, fields);
  }

  info(name: string, fields?: LogFields): void {
    this.#write('info', name, fields);
  }

  debug(name: string, fields?: LogFields): void {
    this.#write('debug', name, fields);
  }

  trace(name: string, fields?: LogFields): void {
    this.#write('trace', name, fields);
  }

  #write(level: LogLevel, name: string, fields: LogFields = {}): void {
    if (this.enabled(level)) this.#sink(formatRecord(this.#now(), level, this.#target, name, fields));
  }
}

/** The daemon's log: hands out one {@link TargetLog} per target (`omni_dev::sessions`, …). */
export class Log {
  readonly #filter: LogFilter;
  readonly #sink: LogSink;
  readonly #now: () => number;

  constructor(filter: LogFilter, sink: LogSink, now: () => number = Date.now) {
    this.#filter = filter;
    this.#sink = sink;
    this.#now = now;
  }

  target(name: string): TargetLog {
    return new TargetLog(name, rankFor(this.#filter, name), this.#sink, this.#now);
  }
}

/** A log that writes nothing. */
export function silentLog(): Log {
  return new Log({ directives: [], invalid: [] }, () => {});
}

/** Longest value of one field: a record stays one readable line whatever a sender put into a path. */
const FIELD_LIMIT = 1_024;

/**
 * One record as one line: time, level, target, name, fields. Control and bidi characters are removed, since an operator
 * reads this in a terminal.
 */
export function formatRecord(
  wallMs: number,
  level: LogLevel,
  target: string,
  name: string,
  fields: LogFields,
): string {
  const head = `${new Date(wallMs).toISOString()} ${level.toUpperCase().padStart(5)} ${target}: ${sanitize(name)}`;
  const tail = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${formatValue(value)}`)
    .join('');
  return `${head}${tail}\n`;
}

function formatValue(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return String(value);
  const clean = sanitize(value.length > FIELD_LIMIT ? `${value.slice(0, FIELD_LIMIT)}…` : value);
  return /^[^\s"=]+$/.test(clean) ? clean : JSON.stringify(clean);
}
