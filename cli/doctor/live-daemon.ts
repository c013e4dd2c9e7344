import { sendRequest } from '../../contract/client.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot } from '../../contract/subscription.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const CHECK = 'subscription';

/** Asks the person's own daemon for a list and a first frame: only reads, and shows nowhere. */
export async function liveDaemonFinding(socket: string): Promise<Finding> {
  try {
    const frame = await sendRequest(socket, sessionsRequest('subscribe'));
    if (!frame.ok) {
      return warning(
        CHECK,
        'this daemon cannot stream; clients ask it again and again',
        'omni-dev daemon restart',
      );
    }
    const list = await sendRequest(socket, sessionsRequest('list'));
    const rows = list.ok ? asSnapshot(list.payload) : undefined;
    if (rows === undefined || asSnapshot(frame.payload) === undefined)
      return problem(CHECK, 'the answer of the daemon holds no sessions', 'omni-dev daemon restart');
    return ok(CHECK, `the daemon answers list and subscribe (${rows.sessions.length} session(s))`);
  } catch (error) {
    return problem(CHECK, error instanceof Error ? error.message : String(error), 'omni-dev daemon restart');
  }
}
