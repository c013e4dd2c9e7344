import { sanitize } from '../../../contract/sanitize.ts';
import type { ServiceResult } from '../../../shims/service/install-service.ts';
import type { CliContext } from '../../context.ts';
import { printJson, printLines } from '../../output.ts';
import { wantsJson } from '../../program/command-host.ts';
import type { ServiceCommandOptions } from './install.ts';

type Change = ServiceResult['files'][number]['change'];

const WOULD: Record<Change, string> = {
  create: 'would create',
  rewrite: 'would rewrite',
  remove: 'would remove',
  nothing: 'as wanted',
  refused: 'not ours, would be refused',
};
const DID: Record<Change, string> = {
  create: 'created',
  rewrite: 'rewrote',
  remove: 'removed',
  nothing: 'as wanted',
  refused: 'not ours',
};

/** Prints what an installation of the service, or its removal, did or would do. */
export async function reportService(
  context: CliContext,
  options: ServiceCommandOptions,
  result: ServiceResult,
  messages: readonly string[],
): Promise<void> {
  const dryRun = options.dryRun === true;
  if (wantsJson(options)) {
    const { manager, changed, armed, files, next, unreachable, wanted } = result;
    await printJson(context, { manager, dry_run: dryRun, changed, armed, files, next, unreachable, wanted });
    return;
  }
  const words = dryRun ? WOULD : DID;
  const files = result.files.map(({ file, change }) => `${words[change]}: ${file}`);
  await printLines(
    context,
    [...files, ...wantedLines(result), ...messages, ...nextLines(result)].map(sanitize),
  );
}

/** The files of a dry run, each under its name. */
function wantedLines({ wanted = [] }: ServiceResult): string[] {
  return wanted.flatMap((one) =>
    'text' in one
      ? [
          '',
          `${one.file}:`,
          ...one.text
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ]
      : ['', `${one.file} -> ${one.linkTo}`],
  );
}

function nextLines({ manager, next, unreachable }: ServiceResult): string[] {
  if (unreachable === undefined) return [];
  return [
    `${manager} cannot be told from here: ${unreachable}`,
    'In a login session of this user, run:',
    ...next.map((command) => `  ${command}`),
  ];
}
