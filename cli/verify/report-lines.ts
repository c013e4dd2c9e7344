import { sanitize } from '../../contract/sanitize.ts';
import { fitCell } from '../view/cells.ts';
import type { Paint } from '../view/paint.ts';
import type { VerifyCheck } from './checks.ts';
import type { VerifyTiming } from './timings.ts';

export interface VerifyReport {
  /** How the wrapper was started. */
  wrapper: string;
  /** False when anything differs. */
  same: boolean;
  checks: VerifyCheck[];
  timings: VerifyTiming[];
}

/** Width of the first column. */
const NAME_WIDTH = 28;

/** The head of the table. */
export function headLines(wrapper: string): string[] {
  return [`wrapper: ${sanitize(wrapper)}`, '', `${fitCell('CHECK', NAME_WIDTH)}  RESULT     DIRECT`];
}

/** What follows the checks: what the wrapper adds in time, and the verdict. */
export function footLines({ timings, same }: VerifyReport): string[] {
  const verdict = same
    ? 'The wrapper changes nothing that was compared.'
    : 'The wrapper changes something: please report it, and take it out with: omni-dev sessions uninstall-wrapper';
  return ['', `${fitCell('TIME', NAME_WIDTH)}  ADDED`, ...timings.map(timingLine), '', verdict];
}

function timingLine({ name, direct_ms, wrapped_ms }: VerifyTiming): string {
  const added = wrapped_ms - direct_ms;
  const sign = added < 0 ? '-' : '+';
  const cells = `${sign}${Math.abs(added).toFixed(2)} ms`.padEnd(11);
  return `${fitCell(name, NAME_WIDTH)}  ${cells}${direct_ms.toFixed(2)} ms → ${wrapped_ms.toFixed(2)} ms`;
}

/** One check; a difference with both sides. */
export function checkLines({ name, same, direct, wrapped }: VerifyCheck, paint: Paint): string[] {
  const label = fitCell(sanitize(name), NAME_WIDTH);
  if (same === true) {
    // What the wrapper is there to put right is no difference to hold against it.
    const shown = direct === wrapped ? direct : `${wrapped} (directly: ${direct})`;
    return [`${label}  ${paint.tone('active', 'same     ')}  ${sanitize(shown)}`];
  }
  if (same === undefined)
    return [`${label}  ${paint.tone('attention', 'varies   ')}  not the same in two direct runs`];
  return [
    `${label}  ${paint.tone('alarm', 'DIFFERENT')}  ${sanitize(direct)}`,
    `${' '.repeat(NAME_WIDTH)}             wrapped: ${sanitize(wrapped)}`,
  ];
}
