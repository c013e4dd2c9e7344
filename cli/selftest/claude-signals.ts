import type { SessionState } from '../../contract/events.ts';
import type { SeenState } from '../stage/seen-rows.ts';
import type { RecordWatch } from './claude-records.ts';
import type { ClaudeStream } from './claude-stream.ts';
import { HOOKS_OF_A_TURN, hookSignals } from './hook-events.ts';
import { newWords, type Signal, signal } from './signals.ts';

/** Everything that one scripted turn of Claude showed. */
export interface ClaudeEvidence {
  stream: Pick<
    ClaudeStream,
    'sessionId' | 'greeting' | 'hasInit' | 'hasResult' | 'states' | 'asks' | 'unknownWords'
  >;
  records: Pick<
    RecordWatch,
    'found' | 'foundOther' | 'hasStatus' | 'states' | 'unknownWords' | 'isSameProcess' | 'isEmpty'
  >;
  /** Hook events in the journal. */
  hooks: ReadonlySet<string>;
  /** What a subscriber saw of the session. */
  shown: readonly SeenState[];
  /** What the readers of transcripts found: nothing, or how many prompts of a person. */
  transcript: { prompts: number; hasFolder: boolean } | undefined;
}

const SHOWN_STATES: readonly SessionState[] = ['working', 'waiting_for_permission', 'idle', 'ended'];
const RECORDED_STATES: readonly SessionState[] = ['working', 'waiting_for_permission', 'idle'];

/** Judges every signal of a turn. Pure. */
export function claudeSignals(evidence: ClaudeEvidence): Signal[] {
  return [
    ...streamSignals(evidence),
    ...hookSignals(HOOKS_OF_A_TURN, evidence.hooks),
    ...recordSignals(evidence),
    ...transcriptSignals(evidence),
  ];
}

function streamSignals({ stream, shown }: ClaudeEvidence): Signal[] {
  const feed = 'stream';
  const hasGreeting = stream.greeting?.pid === true && stream.greeting.state;
  return [
    signal(feed, 'initialize answer', hasGreeting, 'no answer to initialize had a pid and a session_state'),
    signal(feed, 'session id', stream.sessionId !== undefined, 'no line had a session_id'),
    signal(feed, 'init line', stream.hasInit, 'no system/init line told folder and model'),
    ...['running', 'requires_action', 'idle'].map((word) =>
      signal(
        feed,
        `state ${word}`,
        stream.states.includes(word),
        `no session_state_changed line said ${word}`,
      ),
    ),
    signal(feed, 'permission request', stream.asks.length > 0, 'no can_use_tool request came'),
    signal(feed, 'result line', stream.hasResult, 'no result line came'),
    ...SHOWN_STATES.map((state) =>
      signal(
        feed,
        `wrapper shows ${state}`,
        shown.some((seen) => seen.state === state && seen.feed === 'claude_stream'),
        `a subscriber never saw ${state} from the wrapped stream`,
      ),
    ),
    newWords(feed, 'words', [...stream.unknownWords]),
  ];
}

function recordSignals({ records }: ClaudeEvidence): Signal[] {
  const feed = 'record';
  const none = records.foundOther
    ? 'sessions/<pid>.json has another shape than the one known here'
    : 'no sessions/<pid>.json was written';
  const file = signal(feed, 'file', records.found, none);
  if (!records.found) return [file];
  const status = signal(feed, 'status', records.hasStatus, 'the session record has no status field');
  return [
    file,
    status,
    ...RECORDED_STATES.map((state) =>
      signal(feed, `status: ${state}`, records.states.has(state), `the session record never said ${state}`),
    ),
    signal(
      feed,
      'process start',
      records.isSameProcess === true,
      'the session record names another process start than its process has',
    ),
    signal(feed, 'removal', records.isEmpty, 'the session record stayed after the end'),
    newWords(feed, 'words', [...records.unknownWords]),
  ];
}

function transcriptSignals({ transcript }: ClaudeEvidence): Signal[] {
  const feed = 'transcript';
  const file = signal(
    feed,
    'file',
    transcript !== undefined,
    'no projects/<folder>/<session id>.jsonl was written',
  );
  if (transcript === undefined) return [file];
  return [
    file,
    signal(feed, 'folder', transcript.hasFolder, 'no line of the transcript names its folder'),
    signal(feed, 'prompt', transcript.prompts > 0, 'the prompt is not found in the transcript'),
  ];
}
