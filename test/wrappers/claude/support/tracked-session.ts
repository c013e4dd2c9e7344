import { StreamTracker } from '../../../../wrappers/claude/tracker.ts';
import type { StateReport, TrackerReport } from '../../../../wrappers/claude/tracker-report.ts';

type Fields = Record<string, unknown>;

/** A tracker and shorthands for the lines that pass it. */
export function session(options: { oneShot?: boolean } = {}) {
  const tracker = new StreamTracker(options);
  const out = (fields: Fields) => tracker.line('from_claude', JSON.stringify(fields));
  const into = (fields: Fields) => tracker.line('to_claude', JSON.stringify(fields));
  const system = (subtype: string, fields: Fields = {}) => out({ type: 'system', subtype, ...fields });
  const init = (fields: Fields = {}) =>
    system('init', { session_id: 's-1', cwd: '/w', model: 'm-1', ...fields });
  const state = (word: string) => system('session_state_changed', { state: word, session_id: 's-1' });
  const ask = (id: string, request: Fields = {}) =>
    out({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', ...request } });
  const answer = (id: string) => into({ type: 'control_response', response: { request_id: id } });
  const prompt = () => into({ type: 'user', session_id: '' });
  const tasks = (...types: string[]) =>
    system('background_tasks_changed', {
      tasks: types.map((task_type, at) => ({ task_id: `t${at}`, task_type })),
    });
  return { tracker, out, into, system, init, state, ask, answer, prompt, tasks };
}

/** The state in a report, if it is one of a state. */
export const stateOf = (report: TrackerReport | undefined) => (report as StateReport | undefined)?.state;
