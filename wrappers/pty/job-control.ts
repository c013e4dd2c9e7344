import type { OwnTerminal } from './own-terminal.ts';
import type { PtyProcess } from './pty-process.ts';

/** What the program wrote before it stopped is still on its way this long. */
const LAST_OUTPUT_MS = 30;
/** A stop of ours that has not come within this time does not come: nobody is there who could let us go on. */
const STOP_MS = 50;

/**
 * Stops with the program, so that the user's shell has its prompt and the terminal as it was, and goes on with it.
 *
 * @param isStopped tells whether a process is stopped
 * @returns ends that
 */
export function shareStops(
  terminal: OwnTerminal,
  child: PtyProcess,
  isStopped: (pid: number) => boolean,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    clearTimeout(timer);
    timer = undefined;
    terminal.enterRaw();
    terminal.refreshSize();
    child.goOn();
  };
  const stop = () => {
    timer = undefined;
    if (!isStopped(child.pid)) return;
    terminal.restore();
    // As the terminal's own stop key: everything in the foreground with us, unless no shell waits for us.
    process.kill(0, 'SIGTSTP');
    timer = setTimeout(goOn, STOP_MS);
  };
  const look = () => {
    if (timer === undefined && isStopped(child.pid)) timer = setTimeout(stop, LAST_OUTPUT_MS);
  };
  process.on('SIGCHLD', look);
  process.on('SIGCONT', goOn);
  // It may have stopped before anybody listened.
  look();
  return () => {
    clearTimeout(timer);
    process.off('SIGCHLD', look);
    process.off('SIGCONT', goOn);
  };
}
