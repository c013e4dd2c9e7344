import { parseRfc3339 } from '../../contract/clock.ts';
import { asText } from './jsonl-window.ts';

/** A prompt a person typed. */
export interface TimedPrompt {
  text: string;
  /** ms since 1970; undefined where the line had no time. */
  at: number | undefined;
  /** True when copied answers of a fork's parent stand behind it: the prompt is the parent's, whatever its time. */
  inherited?: boolean;
}

/** How much of a session's file is read. */
export interface EndLimits {
  /** Read at most this far from the start. */
  headBytes: number;
  /** Read back at most this far from the end, for prompts. */
  tailBytes: number;
  /** Read back at least this far from the end, for titles: they stand anywhere. */
  titleBytes: number;
  /** How many of the latest prompts are wanted. */
  prompts: number;
}

/** The time of a record in ms since 1970, or undefined when it has none. */
export function recordTime(record: Record<string, unknown>): number | undefined {
  const text = asText(record.timestamp);
  return text === undefined ? undefined : parseRfc3339(text);
}
