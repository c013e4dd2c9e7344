import path from 'node:path';
import { type CatalogQuery, parseSince } from '../../../catalog/query.ts';
import { CATALOG_STATES, HARNESSES, parseHarness } from '../../../catalog/session.ts';
import { queryWords } from '../../../catalog/words.ts';
import type { CliContext } from '../../context.ts';
import type { OutputOptions } from '../../program/command-host.ts';
import { UsageError } from '../../usage-error.ts';

/** What every command of the catalog takes. */
export interface CatalogOptions extends OutputOptions {
  socket?: string;
}

/** The filters of `find` and `pick`, as they were typed. */
export interface FilterOptions extends CatalogOptions {
  harness?: string;
  repo?: string;
  cwd?: string;
  since?: string;
  state?: string;
  work?: string;
}

/** The query that words and filters mean. @throws UsageError for a value that means nothing */
export function toQuery(context: CliContext, options: FilterOptions, words: readonly string[]): CatalogQuery {
  const harness = options.harness === undefined ? undefined : parseHarness(options.harness);
  if (options.harness !== undefined && harness === undefined) {
    throw new UsageError(
      `unknown harness ${JSON.stringify(options.harness)}; known: ${HARNESSES.join(', ')}`,
    );
  }
  const since = options.since === undefined ? undefined : parseSince(options.since, context.wall());
  if (options.since !== undefined && since === undefined) {
    throw new UsageError(
      `--since ${JSON.stringify(options.since)} is no time: use 90m, 12h, 3d, 2w, 2026-11-30 or RFC 3339`,
    );
  }
  const state = CATALOG_STATES.find((known) => known === options.state);
  return {
    words: queryWords(words.join(' ')),
    ...(harness === undefined ? {} : { harness }),
    ...(since === undefined ? {} : { since }),
    ...(state === undefined ? {} : { state }),
    ...(options.repo === undefined ? {} : { repo: options.repo }),
    ...(options.cwd === undefined ? {} : { cwd: path.resolve(options.cwd) }),
    ...(options.work === undefined ? {} : { work: options.work }),
  };
}
