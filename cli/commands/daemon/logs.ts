import { tailLog } from '../../../daemon-lite/service/log-tail.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { writeAll } from '../../output.ts';

interface LogsOptions extends SocketOptions {
  lines: number;
  follow?: boolean;
}

/** `daemon logs`: a missing file is nothing to show, or is waited for with `-f`. */
export async function run(context: CliContext, options: LogsOptions): Promise<void> {
  await tailLog({
    file: accessOf(context, options).paths.log,
    lines: options.lines,
    follow: options.follow === true,
    signal: context.readerGone,
    write: (text) => writeAll(context.stdout, text),
  });
}
