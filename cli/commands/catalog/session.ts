import type { Catalog, CatalogProblem } from '../../../catalog/catalog.ts';
import { type CatalogConfig, loadConfig } from '../../../catalog/config.ts';
import { openCatalog } from '../../../catalog/open-catalog.ts';
import { SHORTEST_PREFIX } from '../../../catalog/select.ts';
import { HARNESSES, type Session } from '../../../catalog/session.ts';
import { OmniDevError } from '../../../contract/errors.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import type { CliContext } from '../../context.ts';
import { remark } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import type { CatalogOptions } from './options.ts';

/** The catalog of the user who runs the command, and its settings. */
export async function openUserCatalog(
  context: CliContext,
  options: CatalogOptions,
): Promise<{ catalog: Catalog; config: CatalogConfig }> {
  const { around, wall } = context;
  const config = await loadConfig(around);
  return { config, catalog: await openCatalog({ around, config, wall, socket: options.socket }) };
}

/**
 * The session a reference means.
 *
 * @throws OmniDevError with the candidates, when there is not exactly one
 */
export async function openSession(catalog: Catalog, reference: string): Promise<Session> {
  const selection = catalog.select(reference);
  switch (selection.kind) {
    case 'unknown-harness':
      throw new UsageError(
        `unknown harness ${JSON.stringify(selection.harness)} in ${JSON.stringify(reference)}; known: ${HARNESSES.join(', ')}`,
      );
    case 'too-short':
      throw new UsageError(
        `${JSON.stringify(reference)} is too short: give ${SHORTEST_PREFIX} or more characters of an id`,
      );
    case 'none':
      throw new OmniDevError(
        'SESSION_NOT_FOUND',
        `no session has an id that begins with ${JSON.stringify(reference)}`,
      );
    case 'ambiguous': {
      const shown = selection.shown.map(({ harness, id }) => `${harness}:${id}`).join(', ');
      const more = selection.count - selection.shown.length;
      throw new OmniDevError(
        'SESSION_AMBIGUOUS',
        `${JSON.stringify(reference)} matches ${selection.count} sessions: ${shown}${more > 0 ? ` and ${more} more` : ''}`,
      );
    }
    case 'one': {
      const session = await catalog.open(selection.candidate);
      if (session !== undefined) return session;
      const problem = catalog.problems.find(({ path }) => path === selection.candidate.path);
      throw new OmniDevError(
        'SESSION_UNREADABLE',
        `${selection.candidate.path} ${problem === undefined ? 'holds no session of a person' : `cannot be read: ${problem.reason}`}`,
      );
    }
  }
}

/** Says on stderr what could not be read. */
export async function remarkProblems(
  context: CliContext,
  problems: readonly CatalogProblem[],
): Promise<void> {
  const SHOWN = 5;
  for (const { harness, path, reason } of problems.slice(0, SHOWN)) {
    const where = path === undefined ? '' : ` ${path}:`;
    await remark(context, `omni-dev: ${harness}:${sanitize(`${where} ${reason}`)}`);
  }
  if (problems.length > SHOWN)
    await remark(context, `omni-dev: and ${problems.length - SHOWN} more like these`);
}
