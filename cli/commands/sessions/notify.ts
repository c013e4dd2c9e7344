import {
  bellNotifier,
  commandNotifier,
  desktopNotifier,
  lineNotifier,
  type Notifier,
  terminalNotifier,
} from '../../attention/notifiers.ts';
import { WaitNotices } from '../../attention/wait-notices.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, ensureDaemon, type SocketOptions } from '../../daemon-access.ts';
import { remark } from '../../output.ts';
import { type Row, toRows } from '../../view/row.ts';
import { LiveSnapshots } from '../../watch/live-snapshots.ts';

interface NotifyOptions extends SocketOptions {
  desktop?: boolean;
  bell?: boolean;
  terminal?: boolean;
  command?: string;
  done?: boolean;
  failed: boolean;
}

/** `sessions notify`: tells a person that a session waits for them, until nobody reads along any more. */
export async function run(context: CliContext, options: NotifyOptions): Promise<void> {
  const access = accessOf(context, options);
  await ensureDaemon(context, access);
  const notices = new WaitNotices({ failed: options.failed, done: options.done === true });
  const tell = teller(context, notifiersOf(context, options));
  await new Promise<void>((resolve) => {
    let rows: Row[] | undefined;
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      clearTimeout(timer);
      if (rows === undefined) return;
      const now = context.wall();
      for (const notice of notices.take(rows, now)) tell(notice);
      const next = notices.nextLookMs(now);
      if (next !== undefined) timer = setTimeout(look, next);
    };
    const live = new LiveSnapshots(access.paths.socket, {
      snapshot: (payload) => {
        rows = toRows(payload);
        look();
      },
      connected: (up) => {
        // What an absent daemon last said is no reason to call anybody.
        if (!up) rows = undefined;
      },
    });
    const end = () => {
      live.close();
      clearTimeout(timer);
      resolve();
    };
    context.readerGone.addEventListener('abort', end, { once: true });
    if (context.readerGone.aborted) end();
  });
}

function notifiersOf(context: CliContext, options: NotifyOptions): Notifier[] {
  const chosen: Notifier[] = [];
  if (options.desktop === true) chosen.push(desktopNotifier(context));
  if (options.bell === true) chosen.push(bellNotifier(context));
  if (options.terminal === true) chosen.push(terminalNotifier(context));
  if (options.command !== undefined) chosen.push(commandNotifier(context, options.command));
  return chosen.length === 0 ? [desktopNotifier(context), lineNotifier(context)] : chosen;
}

/** Tells by every way; a way that fails is complained of once. */
function teller(
  context: CliContext,
  notifiers: readonly Notifier[],
): (notice: Parameters<Notifier>[0]) => void {
  const complained = new Set<Notifier>();
  const tellBy = async (notifier: Notifier, notice: Parameters<Notifier>[0]) => {
    const failure = await notifier(notice);
    if (failure === undefined || complained.has(notifier)) return;
    complained.add(notifier);
    await remark(context, `omni-dev: ${failure}; see other ways with: omni-dev sessions notify --help`);
  };
  return (notice) => {
    for (const notifier of notifiers) void tellBy(notifier, notice);
  };
}
