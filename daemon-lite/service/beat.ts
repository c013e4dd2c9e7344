/** A third of a second: everything regular falls on multiples of it, counted on the process's own clock. */
export const BEAT_MS = 1_000 / 3;

/** What is due within this time is done now. */
const TOGETHER_MS = 10;

interface Task {
  everyMs: number;
  dueAt: number;
  run(): void;
}

const tasks = new Set<Task>();
let timer: NodeJS.Timeout | undefined;

/**
 * Runs something again and again, as `setInterval` does. Everything regular in the daemon goes through here: waking up
 * costs an idle daemon more than what it then looks at, so all of it shares one timer and as few moments as possible.
 * Does not keep the process alive.
 *
 * @param everyMs milliseconds. From a beat on they are rounded to whole beats, and the first time comes half a beat early
 *   or late to fall on one; a shorter time is kept as it is.
 * @returns what stops it.
 */
export function every(everyMs: number, run: () => void): () => void {
  const task = { everyMs, dueAt: nextTime(everyMs), run };
  tasks.add(task);
  arm();
  return () => {
    if (tasks.delete(task)) arm();
  };
}

function nextTime(everyMs: number): number {
  const at = performance.now() + everyMs;
  return everyMs < BEAT_MS ? at : Math.round(at / BEAT_MS) * BEAT_MS;
}

function arm(): void {
  clearTimeout(timer);
  timer = undefined;
  if (tasks.size === 0) return;
  const next = Math.min(...[...tasks].map(({ dueAt }) => dueAt));
  timer = setTimeout(beat, Math.max(0, next - performance.now())).unref();
}

function beat(): void {
  const until = performance.now() + TOGETHER_MS;
  for (const task of [...tasks]) {
    if (task.dueAt > until || !tasks.has(task)) continue;
    task.dueAt = nextTime(task.everyMs);
    runSafely(task);
  }
  arm();
}

/** A task that fails is reported as uncaught and goes on; the others of this moment still have their turn. */
function runSafely(task: Task): void {
  try {
    task.run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
