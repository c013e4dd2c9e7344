import type { Outcome } from '../../contract/events.ts';
import { textOf } from './stream-line.ts';

/**
 * How a turn ended, from its `result` line. An API error arrives as `subtype: success` with `is_error`; an interrupt as
 * an error whose `terminal_reason` says aborted. Versions without that reason are told by the interrupt request before.
 *
 * @param interrupted true when the host asked to interrupt this turn.
 */
export function outcomeOfResult(fields: Record<string, unknown>, interrupted: boolean): Outcome {
  const subtype = textOf(fields.subtype);
  const reason = textOf(fields.terminal_reason);
  if (reason?.startsWith('aborted')) return 'interrupted';
  if (reason === undefined && interrupted && subtype === 'error_during_execution') return 'interrupted';
  const failed = fields.is_error === true || (subtype !== undefined && subtype !== 'success');
  return failed ? 'failed' : 'done';
}
