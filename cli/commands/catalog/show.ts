import { type CliContext, wantsColour } from '../../context.ts';
import { printJson, printLines } from '../../output.ts';
import { wantsJson } from '../../program/command-host.ts';
import { createPaint } from '../../view/paint.ts';
import { sessionDetails } from './details.ts';
import type { CatalogOptions } from './options.ts';
import { openSession, openUserCatalog } from './session.ts';

export interface ShowOptions extends CatalogOptions {
  /** False with `--no-evidence`. */
  evidence: boolean;
}

const EVIDENCE_MS = 5_000;
const EVIDENCE_BYTES = 512 * 1024 * 1024;

/** `sessions show <id>`: everything known of one session. */
export async function run(
  context: CliContext,
  options: ShowOptions,
  [reference = '']: string[],
): Promise<void> {
  const { catalog, config } = await openUserCatalog(context, options);
  const session = await openSession(catalog, reference);
  catalog.save();
  if (options.evidence) {
    const { evidenceReader } = await import('./evidence.ts');
    session.evidence = await evidenceReader(config, EVIDENCE_MS, EVIDENCE_BYTES)(session);
  }
  if (wantsJson(options)) return printJson(context, session);
  const paint = createPaint(wantsColour(context, context.stdout));
  return printLines(context, sessionDetails(session, paint, context.wall()));
}
