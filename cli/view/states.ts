import { isSessionState, type SessionState } from '../../contract/events.ts';

/** Colour of a state by its meaning; `paint.ts` turns it into a terminal colour. */
export type Tone = 'alarm' | 'attention' | 'active' | 'quiet' | 'muted';

export interface StateLook {
  /** Shape that tells the state without colour. */
  glyph: string;
  /** Word beside the glyph (tray, live table). */
  word: string;
  /** Word in the STATE column of `sessions list`. */
  listWord: string;
  tone: Tone;
  /** Place in the live table: who waits for you comes first. */
  rank: number;
}

const LOOKS: Record<SessionState, StateLook> = {
  waiting_for_permission: {
    glyph: '!',
    word: 'permission',
    listWord: 'waiting-perm',
    tone: 'alarm',
    rank: 0,
  },
  waiting_for_input: { glyph: '?', word: 'waiting', listWord: 'waiting-input', tone: 'attention', rank: 0 },
  working: { glyph: '⚙', word: 'working', listWord: 'working', tone: 'active', rank: 1 },
  starting: { glyph: '…', word: 'starting', listWord: 'starting', tone: 'quiet', rank: 2 },
  idle: { glyph: '◦', word: 'idle', listWord: 'idle', tone: 'quiet', rank: 3 },
  ended: { glyph: '×', word: 'ended', listWord: 'ended', tone: 'muted', rank: 4 },
};

/** How a state looks. A state of a newer daemon keeps its own (already sanitised) word and no colour. */
export function lookOf(state: string): StateLook {
  if (isSessionState(state)) return LOOKS[state];
  return { glyph: '·', word: state, listWord: state, tone: 'muted', rank: 2 };
}
