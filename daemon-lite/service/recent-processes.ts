import type { ProcessFacts, ProcessView } from '../registry/processes.ts';

/** How long a look at a process is good for: events of one session come in bursts. */
const RECENT_MS = 100;
/** A process that is gone stays gone; its number is given to another one after much more. */
const RECENT_DEAD_MS = 1_000;
const MOST_REMEMBERED = 1_024;

interface Look {
  facts: ProcessFacts | undefined;
  until: number;
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
