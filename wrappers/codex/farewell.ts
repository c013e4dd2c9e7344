import { existsSync } from 'node:fs';
import type { SessionReading } from '../../agents/codex/thread-tracker.ts';
import { sanitize } from '../../contract/sanitize.ts';

/**
 * What to tell the user after the interface has exited, or undefined when there is nothing to tell. The interface
 * believes that its server goes on, and says how to reconnect to it: that server is ours and has stopped.
 *
 * @param exists whether a rollout is there; a session without one cannot be resumed.
 */
export function farewell(
  sessions: readonly SessionReading[],
  command: string,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const resumable = sessions.filter(
    ({ transcriptPath }) => transcriptPath !== undefined && exists(transcriptPath),
  );
  if (resumable.length === 0) return undefined;
  const stopped = resumable.filter(({ state }) => state !== 'idle').length;
  const lines = [
    'omni-dev: the private server named above has stopped, so that address no longer works.',
    ...(stopped === 0
      ? []
      : [
          `omni-dev: ${stopped === 1 ? 'a running turn was' : `${stopped} running turns were`} stopped with it.`,
        ]),
    'omni-dev: to continue:',
    ...resumable.map(({ sessionId }) => `  ${sanitize(command)} resume ${sanitize(sessionId)}`),
  ];
  return lines.join('\n');
}
