import type { LockState } from '../../agents/codex/thread-locks.ts';
import type { TurnStanding } from '../../agents/codex/turn-end.ts';
import type { SessionState } from '../../contract/events.ts';
import type { SeenState } from '../stage/seen-rows.ts';
import { HOOKS_OF_A_TURN, hookSignals } from './hook-events.ts';
import { type Signal, signal } from './signals.ts';

/** Everything that one scripted turn of Codex showed. */
export interface CodexEvidence {
  /** The server, asked as our observer asks it. */
  server: {
    /** Where Codex puts its shared server's socket. */
    listens: boolean;
    version: string | undefined;
    /** The thread was in the list of loaded ones. */
    lists: boolean;
    /** `thread/read` gave a thread with a status. */
    reads: boolean;
    pushed: ReadonlySet<string>;
    approvals: number;
  };
  /** State of the thread's lock while the thread was loaded, and after the server had gone. */
  lock: { loaded: LockState; after: LockState };
  hooks: ReadonlySet<string>;
  /** Whether Codex hashes a hook as we do: what it was told to trust is what we take for trusted. */
  knowsTrust: boolean;
  shown: readonly SeenState[];
  rollout: { hasHead: boolean; standing: TurnStanding | undefined; prompts: number } | undefined;
}

const SHOWN_STATES: readonly SessionState[] = ['idle', 'working', 'waiting_for_permission'];

/** Judges every signal of a turn. Pure. */
export function codexSignals(evidence: CodexEvidence): Signal[] {
  return [
    ...serverSignals(evidence),
    ...lockSignals(evidence),
    ...hookSignals(HOOKS_OF_A_TURN, evidence.hooks),
    signal(
      'hooks',
      'trust',
      evidence.knowsTrust,
      'Codex hashes a hook in another way: its trust is not known here',
    ),
    ...rolloutSignals(evidence),
  ];
}

function serverSignals({ server, shown }: CodexEvidence): Signal[] {
  const feed = 'server';
  const socket = signal(feed, 'socket', server.listens, 'the app-server does not listen where it did');
  if (!server.listens) return [socket];
  return [
    socket,
    signal(feed, 'initialize answer', server.version !== undefined, 'no answer to initialize had a version'),
    signal(feed, 'loaded list', server.lists, 'thread/loaded/list did not name the thread'),
    signal(feed, 'thread status', server.reads, 'thread/read gave no thread with a status'),
    ...['active', 'waitingOnApproval', 'idle'].map((word) =>
      signal(feed, `pushed ${word}`, server.pushed.has(word), `no thread/status/changed said ${word}`),
    ),
    signal(feed, 'approval request', server.approvals > 0, 'no approval was asked for'),
    ...SHOWN_STATES.map((state) =>
      signal(
        feed,
        `observer shows ${state}`,
        shown.some((seen) => seen.state === state && seen.feed === 'codex_server'),
        `a subscriber never saw ${state} from the server's observer`,
      ),
    ),
  ];
}

function lockSignals({ lock, shown }: CodexEvidence): Signal[] {
  const feed = 'lock';
  // In a container the holder of a lock may be invisible: the file itself is the sign then.
  const isLoaded = lock.loaded === 'held' || lock.loaded === 'unknown';
  return [
    signal(feed, 'thread lock', isLoaded, 'no lock stands in thread-writer-locks while the thread is loaded'),
    signal(feed, 'release', lock.after === 'absent', 'the lock stayed after the thread was unloaded'),
    signal(
      feed,
      'end is shown',
      shown.some(({ state }) => state === 'ended'),
      'a subscriber never saw the end',
    ),
  ];
}

function rolloutSignals({ rollout }: CodexEvidence): Signal[] {
  const feed = 'rollout';
  const file = signal(feed, 'file', rollout !== undefined, 'no rollout was written below sessions/');
  if (rollout === undefined) return [file];
  return [
    file,
    signal(
      feed,
      'first line',
      rollout.hasHead,
      'the first line of the rollout is no session_meta as known here',
    ),
    signal(
      feed,
      'end of the turn',
      rollout.standing === 'done',
      'no record of the rollout tells that the turn ended',
    ),
    signal(feed, 'prompt', rollout.prompts > 0, 'the prompt is not found in the rollout'),
  ];
}
