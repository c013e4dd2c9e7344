/** Levels from most to least urgent. A record is written when its level is at or before the filter's. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Rank of a filter that lets nothing through; the level of rank n is LOG_LEVELS[n - 1]. */
const OFF = 0;

interface Directive {
  /** Target prefix; '' is every target. */
  target: string;
  rank: number;
}

/** Which records are written, by target and level. */
export interface LogFilter {
  directives: readonly Directive[];
  /** Directives that were not understood and are ignored. */
  invalid: readonly string[];
}

/** The default: information and what is worse. */
export const DEFAULT_FILTER = 'info';

/** Rank of a level: 1 for errors to 5 for traces. */
export function rankOf(level: LogLevel): number {
  return LOG_LEVELS.indexOf(level) + 1;
}

/**
 * Reads a filter such as `info,omni_dev::sessions=debug`: directives separated by commas, each a level, a target
 * (everything of it) or `target=level`. Levels are `off error warn info debug trace`, in any case. A target counts for
 * everything below it; the longest that matches decides. Without a bare level, targets that are not named are off.
 */
export function parseLogFilter(text: string): LogFilter {
  const directives: Directive[] = [];
  const invalid: string[] = [];
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '') continue;
    const directive = parseDirective(part);
    if (directive === undefined) invalid.push(part);
    else directives.push(directive);
  }
  directives.sort((a, b) => b.target.length - a.target.length);
  return { directives, invalid };
}

function parseDirective(text: string): Directive | undefined {
  const bare = parseRank(text);
  if (bare !== undefined) return { target: '', rank: bare };
  const [target, level, ...rest] = text.split('=').map((piece) => piece.trim());
  if (target === undefined || !/^[\w:-]+$/.test(target) || rest.length > 0) return undefined;
  const rank = level === undefined || level === '' ? LOG_LEVELS.length : parseRank(level);
  return rank === undefined ? undefined : { target, rank };
}

function parseRank(text: string): number | undefined {
  const word = text.toLowerCase();
  if (word === 'off') return OFF;
  const level = LOG_LEVELS.find((known) => known === word);
  return level === undefined ? undefined : rankOf(level);
}

/** The rank up to which records of a target are written; 0 is none. */
export function rankFor(filter: LogFilter, target: string): number {
  return filter.directives.find((directive) => covers(directive.target, target))?.rank ?? OFF;
}

function covers(prefix: string, target: string): boolean {
  if (!target.startsWith(prefix)) return false;
  return prefix === '' || target.length === prefix.length || target.startsWith('::', prefix.length);
}
