import type { SessionState } from '../../contract/events.ts';

const SEQUENCE = /\x1b\]7501;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
/** Longest part of a sequence that is kept until its end arrives. */
const LONGEST_TAIL = 8_192;

/** A state that the agent announced to its terminal. */
export interface AnnouncedState {
  /** Wall-clock milliseconds when it was read. */
  t: number;
  state: SessionState;
}

function stateOf(payload: string): SessionState | undefined {
  const fields = new Map<string, string>();
  for (const part of payload.split(':')) {
    const [key = '', value = ''] = part.split('=', 2);
    fields.set(key, value);
  }
  // Records with an id are about a subagent.
  if (fields.has('id')) return undefined;
  switch (fields.get('state')) {
    case 'working':
      return 'working';
    case 'idle':
    case 'done':
    case 'error':
      return 'idle';
    case 'blocked':
      return fields.get('kind') === 'permission' ? 'waiting_for_permission' : 'waiting_for_input';
    case 'clear':
      return 'ended';
    default:
      return undefined;
  }
}

/** Collects the states of the program status sequences (OSC 7501) in a terminal's output. */
export class ProgramStatusReader {
  readonly states: AnnouncedState[] = [];
  #tail = '';

  push(text: string): void {
    const whole = this.#tail + text;
    let end = 0;
    for (const match of whole.matchAll(SEQUENCE)) {
      end = match.index + match[0].length;
      const state = stateOf(match[1] ?? '');
      if (state !== undefined && this.states.at(-1)?.state !== state)
        this.states.push({ t: Date.now(), state });
    }
    this.#tail = whole.slice(end).slice(-LONGEST_TAIL);
  }
}
