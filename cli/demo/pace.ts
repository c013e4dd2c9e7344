import type { DemoCapture, DemoLine } from './captures.ts';

/** A pause nobody learns from is cut to this. */
const LONGEST_PAUSE_MS = 2_500;

/** One step of a replay: the pause after the step before, then the line. */
export interface DemoStep {
  pauseMs: number;
  from: DemoLine['from'];
  line: DemoLine['line'];
}

/**
 * The steps of a recording with its long pauses cut, and the pause before the agent exits.
 *
 * @param speed 1 is the recorded speed, 2 twice as fast
 */
export function paced(capture: DemoCapture, speed: number): { steps: DemoStep[]; lastPauseMs: number } {
  let before = 0;
  const pause = (at: number) => {
    const pauseMs = Math.min(at - before, LONGEST_PAUSE_MS) / speed;
    before = at;
    return pauseMs;
  };
  const steps = capture.lines.map(({ at, from, line }) => ({ pauseMs: pause(at), from, line }));
  return { steps, lastPauseMs: pause(capture.endsAt) };
}
