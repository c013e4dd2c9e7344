import { glyphs, type TooltipSubject, tooltip } from './cues/decoration.ts';
import type { Tally } from './cues/tally.ts';
import type { FeedStatus } from './feed/session-feed.ts';

/** What the status bar item shows. */
export interface StatusText {
  text: string;
  tooltip: string;
  /** Somebody waits on you: the item stands out. */
  attention: boolean;
  /** The daemon does not answer: a click offers to start it. */
  unreachable: boolean;
}

/** The status bar item for all live sessions of the machine, whichever window or terminal they are in. */
export function statusText(status: FeedStatus, total: Tally, subject: TooltipSubject): StatusText {
  if (status === 'unreachable') {
    return {
      text: '$(debug-disconnect) agents',
      tooltip: 'The omni-dev daemon is not running. Click to start it.',
      attention: false,
      unreachable: true,
    };
  }
  const counts = glyphs(total);
  const line = tooltip(total, subject) ?? 'No active agent sessions.';
  const how = status === 'polling' ? '\nThis daemon cannot stream: the state is read every few seconds.' : '';
  return {
    text: status === 'connecting' ? '$(hubot) …' : `$(hubot) ${counts === '' ? '0' : counts}`,
    tooltip: status === 'connecting' ? 'Asking the omni-dev daemon…' : `${line}${how}`,
    attention: total.waiting > 0,
    unreachable: false,
  };
}
