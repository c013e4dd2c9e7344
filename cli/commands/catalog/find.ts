import type { CatalogResult } from '../../../catalog/catalog.ts';
import type { Evidence } from '../../../catalog/evidence/evidence.ts';
import type { CatalogQuery } from '../../../catalog/query.ts';
import type { Session } from '../../../catalog/session.ts';
import { mentionsWork } from '../../../catalog/words.ts';
import { type CliContext, wantsColour } from '../../context.ts';
import { print, printJson, printLines, remark } from '../../output.ts';
import { wantsJson } from '../../program/command-host.ts';
import { createPaint } from '../../view/paint.ts';
import { type FilterOptions, toQuery } from './options.ts';
import { openUserCatalog, remarkProblems } from './session.ts';
import { sessionTable, shortIds } from './table.ts';

export interface FindOptions extends FilterOptions {
  limit: number;
  evidence?: boolean;
}

/** Read of all sessions together, where evidence was asked for. */
const EVIDENCE_MS = 20_000;
const EVIDENCE_BYTES_EACH = 64 * 1024 * 1024;

/** `sessions find`: the newest sessions that fit. Exits 0 also when some could not be read: what was read is shown. */
export async function run(context: CliContext, options: FindOptions, words: string[]): Promise<void> {
  const query = toQuery(context, options, words);
  const { catalog, config } = await openUserCatalog(context, options);
  const evidenceOf = options.evidence
    ? await (await import('./evidence.ts')).evidenceReader(config, EVIDENCE_MS, EVIDENCE_BYTES_EACH)
    : undefined;
  const limit = options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
  const result = await catalog.find(query, limit, (session) => fitsWork(session, query, evidenceOf));
  if (evidenceOf !== undefined) {
    for (const session of result.sessions) session.evidence = await evidenceOf(session);
  }
  if (wantsJson(options)) await printJson(context, result);
  else await printText(context, result, () => catalog.files().all.map(({ id }) => id));
  // Last: nobody waits for it.
  catalog.save();
}

async function printText(
  context: CliContext,
  { sessions, errors }: CatalogResult,
  ids: () => string[],
): Promise<void> {
  await printSessions(context, sessions, ids());
  await remarkProblems(context, errors);
}

async function fitsWork(
  session: Session,
  { work }: CatalogQuery,
  evidenceOf: ((session: Session) => Promise<Evidence>) | undefined,
): Promise<boolean> {
  if (work === undefined || mentionsWork(session, work)) return true;
  const evidence = await evidenceOf?.(session);
  return evidence?.workRefs.some(({ id }) => id.toLowerCase() === work.toLowerCase()) === true;
}

async function printSessions(
  context: CliContext,
  sessions: readonly Session[],
  ids: readonly string[],
): Promise<void> {
  if (sessions.length === 0) return print(context, 'No session fits.');
  const { stdout } = context;
  const short = shortIds(
    sessions.map(({ id }) => id),
    ids,
  );
  await printLines(
    context,
    sessionTable(sessions, {
      paint: createPaint(wantsColour(context, stdout)),
      now: context.wall(),
      width: stdout.isTTY === true ? stdout.columns : undefined,
      idOf: ({ id }) => short.get(id) ?? id,
    }),
  );
  if (sessions.some(({ archived }) => archived)) await remark(context, '* archived');
}
