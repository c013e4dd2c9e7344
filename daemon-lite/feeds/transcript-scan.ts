import type { ObservePayload } from '../../contract/messages.ts';

/** Size in bytes and last change in wall milliseconds: all that is ever read of a transcript here. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
}

/** What one look at a transcript means. */
export interface TranscriptSighting {
  session_id: string;
  path: string;
  event: 'transcript_discovered' | 'transcript_grew';
}

/** A transcript changed longer ago than this is no sign of a running session. */
const RECENT_MS = 300_000;

/** The session id that a file in a project folder stands for, or undefined when it stands for none. */
export function transcriptSessionId(name: string): string | undefined {
  if (!name.endsWith('.jsonl') || name.startsWith('agent-')) return undefined;
  const stem = name.slice(0, -'.jsonl'.length);
  return stem === '' ? undefined : stem;
}

/**
 * Remembers the size of every transcript and says what a new look means: discovered when unseen and recent, grown when
 * larger than before and recent. Old ones are noted silently, so that a resume reads as growth; sizes of vanished files
 * are kept. The working directory is never derived from the folder's name.
 */
export class TranscriptScan {
  readonly #sizes = new Map<string, number>();

  /** Looks at one file. @param now wall milliseconds. */
  look(file: string, sessionId: string, stamp: FileStamp, now: number): TranscriptSighting | undefined {
    const before = this.#sizes.get(file);
    this.#sizes.set(file, stamp.size);
    if (now - stamp.mtimeMs > RECENT_MS) return undefined;
    if (before === undefined) return { session_id: sessionId, path: file, event: 'transcript_discovered' };
    return stamp.size > before ? { session_id: sessionId, path: file, event: 'transcript_grew' } : undefined;
  }
}

/** The sighting as it is reported. */
export function transcriptObservation(sighting: TranscriptSighting): ObservePayload {
  const { session_id, path, event } = sighting;
  return { session_id, transcript_path: path, event, feed: 'transcript' };
}
