import { asList, asObject, asText } from '../files/jsonl-window.ts';

/** A message that a person typed. */
export interface HumanPrompt {
  /** As typed. Empty for a prompt of images alone. */
  text: string;
  /** RFC 3339, as written by the agent. */
  timestamp?: string;
}

/**
 * What Claude puts at the start of the `user` lines it writes itself: local commands and their output, notices of
 * background tasks, context of an editor. In versions without `promptSource` nothing else tells them from a prompt.
 */
const HARNESS_TEXT =
  /^\s*(?:<(?:command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)|task-notification|background-task[a-z-]*|system-reminder|user-prompt-submit-hook|bash-(?:input|stdout|stderr)|ide_[a-z_]+|new-diagnostics|teammate-message|tools-used-before-summary)[\s>]|\[Request interrupted|Caveat: The messages below were generated)/;

/**
 * The prompt a transcript record holds, or undefined when no person typed it: tool results, injected context, command
 * output, summaries and subagent traffic are `user` lines too. A prompt folded into a running turn is an attachment.
 */
export function humanPromptOf(record: Record<string, unknown>): HumanPrompt | undefined {
  if (record.isSidechain === true || record.isMeta === true) return undefined;
  const text = record.type === 'attachment' ? queuedText(record) : typedText(record);
  if (text === undefined) return undefined;
  const timestamp = asText(record.timestamp);
  return timestamp === undefined ? { text } : { text, timestamp };
}

function queuedText(record: Record<string, unknown>): string | undefined {
  const attachment = asObject(record.attachment);
  if (attachment?.type !== 'queued_command' || attachment.commandMode !== 'prompt') return undefined;
  if (attachment.isMeta === true) return undefined;
  return textOf(attachment.prompt);
}

function typedText(record: Record<string, unknown>): string | undefined {
  if (record.type !== 'user' || record.isCompactSummary === true) return undefined;
  if (record.isVisibleInTranscriptOnly === true || record.rowSource === 'harness') return undefined;
  if (record.promptSource === 'system') return undefined;
  const content = asObject(record.message)?.content;
  const text = textOf(content);
  if (typeof record.promptSource === 'string') return text ?? '';
  return text === undefined || HARNESS_TEXT.test(text) ? undefined : text;
}

/** The person's own text in a message, without blocks the harness put beside it; undefined where there is none. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const blocks = asList(content).map(asObject);
  if (blocks.some((block) => block?.type === 'tool_result')) return undefined;
  const texts = blocks.flatMap((block) => (block?.type === 'text' ? (asText(block.text) ?? []) : []));
  const own = texts.filter((text) => !HARNESS_TEXT.test(text));
  return texts.length === 0 ? undefined : (own.length > 0 ? own : texts).join('\n');
}
