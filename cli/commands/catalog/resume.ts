import { requireDirectory, resumeSpecOf, shellLine } from '../../../catalog/resume.ts';
import type { Session } from '../../../catalog/session.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import type { CliContext } from '../../context.ts';
import { print, printJson, remark } from '../../output.ts';
import { wantsJson } from '../../program/command-host.ts';
import type { CatalogOptions } from './options.ts';
import { runSpec } from './run-spec.ts';
import { openSession, openUserCatalog } from './session.ts';

export interface ResumeOptions extends CatalogOptions {
  force?: boolean;
  print?: boolean;
}

/** `sessions resume <id>`: runs the agent in the session's directory. Exits as the agent does. */
export async function run(
  context: CliContext,
  options: ResumeOptions,
  [reference = '']: string[],
): Promise<number> {
  const { catalog } = await openUserCatalog(context, options);
  const session = await openSession(catalog, reference);
  catalog.save();
  return resumeSession(context, options, session);
}

/** Resumes a chosen session, or prints how. */
export async function resumeSession(
  context: CliContext,
  options: ResumeOptions,
  session: Session,
): Promise<number> {
  const spec = resumeSpecOf(session, options.force === true);
  if (wantsJson(options)) {
    await printJson(context, spec);
    return 0;
  }
  if (options.print === true) {
    await print(context, shellLine(spec));
    return 0;
  }
  requireDirectory(spec);
  if (session.state === 'unknown') {
    await remark(
      context,
      `omni-dev: nothing shows whether ${session.harness}:${sanitize(session.id)} is running; resuming it`,
    );
  }
  return runSpec(spec, context.around.env);
}
