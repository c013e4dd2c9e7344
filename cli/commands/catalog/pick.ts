import { gatherEvidence, traceLimits } from '../../../catalog/evidence/gather.ts';
import { RepoIndex } from '../../../catalog/repo-index.ts';
import { resumeSpecOf } from '../../../catalog/resume.ts';
import { WorkRefExtractor } from '../../../catalog/work-refs.ts';
import type { CliContext } from '../../context.ts';
import { printJson } from '../../output.ts';
import { wantsJson } from '../../program/command-host.ts';
import { UsageError } from '../../usage-error.ts';
import { type FilterOptions, toQuery } from './options.ts';
import { pickSession } from './picker.ts';
import { resumeSession } from './resume.ts';
import { openUserCatalog } from './session.ts';

export interface PickOptions extends FilterOptions {
  force?: boolean;
  print?: boolean;
}

/** Read for the preview of one session: little enough that no key has to wait for it. */
const PREVIEW_MS = 25;
const PREVIEW_BYTES = 16 * 1024 * 1024;

/**
 * `sessions pick`: find by typing; Enter resumes in the session's directory. With `-o json` the chosen session is printed
 * instead. Exits 1 when left without a choice, as the agent does otherwise.
 */
export async function run(context: CliContext, options: PickOptions, words: string[]): Promise<number> {
  // Standard output may be a pipe that takes the choice: the screen is on standard error then.
  const screen = [context.stdout, context.stderr].find((stream) => stream.isTTY === true);
  if (context.stdin.isTTY !== true || screen === undefined) {
    throw new UsageError('sessions pick needs a terminal; without one use sessions find and sessions resume');
  }
  const query = toQuery(context, options, words);
  const { catalog, config } = await openUserCatalog(context, options);
  const sources = {
    repositories: new RepoIndex(config.workspaceRoots),
    workRefs: new WorkRefExtractor(config.workRefRules),
  };
  const picked = await pickSession(context, {
    catalog,
    query,
    screen,
    evidenceOf: (session) => gatherEvidence(session, sources, traceLimits(PREVIEW_MS, PREVIEW_BYTES)),
    refusal: (session) => refusalOf(() => resumeSpecOf(session, options.force === true)),
  });
  catalog.save();
  if ('exitCode' in picked) return picked.exitCode;
  if (!wantsJson(options)) return resumeSession(context, options, picked.session);
  await printJson(context, picked.session);
  return 0;
}

function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
