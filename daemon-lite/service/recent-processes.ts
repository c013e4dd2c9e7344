import type { ProcessFacts, ProcessView } from '../registry/processes.ts';

/** How long a look at a process is good for: events of one session come in bursts. */
const RECENT_MS = 100;
/** A process that is gone stays gone; its number is given to another one after much more. */
const RECENT_DEAD_MS = 1_000;
/** Feeds that ask on the same beat ask within this time. */
const SAME_MOMENT_MS = 50;
const MOST_REMEMBERED = 1_024;

interface Look {
  facts: ProcessFacts | undefined;
  until: number;
}

/**
 * The same question, asked of the kernel once for everybody who asks in the same moment. Only that a process runs is
 * remembered: that it is gone is news, and is never held back.
 */
export function recentlyRunning(
  running: (pid: number) => boolean,
  now: () => number = () => performance.now(),
): (pid: number) => boolean {
  const seen = new Set<number>();
  let until = 0;
  return (pid) => {
    const time = now();
    if (time >= until) {
      seen.clear();
      until = time + SAME_MOMENT_MS;
    }
    if (seen.has(pid)) return true;
    const runs = running(pid);
    if (runs) seen.add(pid);
    return runs;
  };
}

/** The same view, looking at each process at most once in a moment: a look is a file to open, or several. */
export function recentProcesses(view: ProcessView, now: () => number = () => performance.now()): ProcessView {
  const looks = new Map<number, Look>();
  return {
    look(pid) {
      const time = now();
      const known = looks.get(pid);
      if (known !== undefined && time < known.until) return known.facts;
      if (looks.size >= MOST_REMEMBERED) looks.clear();
      const facts = view.look(pid);
      looks.set(pid, { facts, until: time + (facts?.alive === false ? RECENT_DEAD_MS : RECENT_MS) });
      return facts;
    },
  };
}
