import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { focusSession } from '../../focus/focus.ts';
import { print } from '../../output.ts';

/** `sessions focus <id>`: brings the session's editor window or tmux pane to the front. */
export async function run(context: CliContext, options: SocketOptions, [id = '']: string[]): Promise<void> {
  await print(context, await focusSession(context, accessOf(context, options), id));
}
