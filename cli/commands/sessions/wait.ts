import { OmniDevError } from '../../../contract/errors.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import { WaitGoal, type WaitVerdict } from '../../attention/wait-goal.ts';
import type { WaitState } from '../../attention/wait-states.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, ensureDaemon, type SocketOptions } from '../../daemon-access.ts';
import { print, printJson } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import { UsageError } from '../../usage-error.ts';
import { toRows } from '../../view/row.ts';
import { LiveSnapshots } from '../../watch/live-snapshots.ts';

interface WaitOptions extends SocketOptions, OutputOptions {
  any?: boolean;
  for: WaitState;
  timeout?: number;
}

/** As of timeout(1). */
const EXIT_TIMEOUT = 124;
/** A session that is missing is looked at again without a change of the others. */
const RECHECK_MS = 1_000;

/** `sessions wait <id|--any>`: ends when the session is in the wanted state. Exit 124 when the time is over. */
export async function run(context: CliContext, options: WaitOptions, [id]: string[]): Promise<number> {
  if ((id === undefined) === (options.any !== true)) throw new UsageError('name a session, or pass --any');
  const access = accessOf(context, options);
  await ensureDaemon(context, access);
  const goal = new WaitGoal({ id, state: options.for });
  const verdict = await settle(context, access.paths.socket, goal, options.timeout);
  if (verdict === undefined) return EXIT_TIMEOUT;
  if (verdict.is === 'impossible') throw new OmniDevError('WAIT_IMPOSSIBLE', sanitize(verdict.why));
  const { id: found, state } = verdict;
  if (wantsJson(options)) await printJson(context, { session_id: found, state });
  else await print(context, `${sanitize(found)} ${sanitize(state)}`);
  return 0;
}

type Settled = Exclude<WaitVerdict, { is: 'not-yet' }>;

/** The verdict, or undefined when the time is over or nobody reads along any more. */
function settle(
  context: CliContext,
  socket: string,
  goal: WaitGoal,
  timeoutSeconds: number | undefined,
): Promise<Settled | undefined> {
  return new Promise((resolve) => {
    let latest: unknown;
    let interrupted = false;
    const look = () => {
      if (latest === undefined) return;
      const verdict = goal.take(toRows(latest), context.wall(), interrupted);
      if (verdict.is !== 'not-yet') end(verdict);
    };
    const live = new LiveSnapshots(socket, {
      snapshot: (payload) => {
        latest = payload;
        look();
      },
      connected: (up) => {
        if (up) return;
        interrupted = true;
        // What an absent daemon last said proves nothing.
        latest = undefined;
      },
    });
    const recheck = setInterval(look, RECHECK_MS);
    const timer =
      timeoutSeconds === undefined ? undefined : setTimeout(() => end(undefined), timeoutSeconds * 1000);
    const onReaderGone = () => end(undefined);
    context.readerGone.addEventListener('abort', onReaderGone, { once: true });
    function end(verdict: Settled | undefined): void {
      live.close();
      clearInterval(recheck);
      clearTimeout(timer);
      context.readerGone.removeEventListener('abort', onReaderGone);
      resolve(verdict);
    }
  });
}
