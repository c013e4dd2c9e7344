import type { OwnTerminal } from './own-terminal.ts';
import type { PtyProcess } from './pty-process.ts';

/** What the program wrote before it stopped is still on its way this long. */
const LAST_OUTPUT_MS = 30;

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
  let stopping = false;
  const look = () => {
    if (stopping || !isStopped(child.pid)) return;
    stopping = true;
    setTimeout(() => {
      stopping = false;
      if (!isStopped(child.pid)) return;
      terminal.restore();
      // As the terminal's own stop key: everything in the foreground with us.
      process.kill(0, 'SIGSTOP');
    }, LAST_OUTPUT_MS);
  };
  const goOn = () => {
    terminal.enterRaw();
    terminal.refreshSize();
    child.kill('SIGCONT', 'group');
  };
  process.on('SIGCHLD', look);
  process.on('SIGCONT', goOn);
  // It may have stopped before anybody listened.
  look();
  return () => {
    process.off('SIGCHLD', look);
    process.off('SIGCONT', goOn);
  };
}
