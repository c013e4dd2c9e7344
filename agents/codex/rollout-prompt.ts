import { asList, asObject, asText } from '../files/jsonl-window.ts';

/** A message a person typed, and which of its two records in a rollout this is. */
export interface RolloutPrompt {
  text: string;
  /** `item`: the record made of typed text only. `message`: the one sent to the model, which older versions have alone. */
  record: 'item' | 'message';
}

/** What Codex itself sends to the model in the user's place, in versions that do not label it. */
const INJECTED = /^\s*(?:<[a-z_]+>|# AGENTS\.md instructions|# Context from my IDE setup)/;

/**
 * The prompt a rollout record holds, or undefined. Only for rollouts of threads a person leads: a subagent's labels its
 * task as typed text too.
 */
export function rolloutPromptOf(record: Record<string, unknown>): RolloutPrompt | undefined {
  const payload = asObject(record.payload);
  if (payload === undefined) return undefined;
  if (record.type === 'event_msg') return itemPrompt(payload);
  return record.type === 'response_item' ? messagePrompt(payload) : undefined;
}

function itemPrompt(payload: Record<string, unknown>): RolloutPrompt | undefined {
  if (payload.type === 'user_message') {
    const text = asText(payload.message);
    return text === undefined ? undefined : { text, record: 'item' };
  }
  const item = payload.type === 'item_completed' ? asObject(payload.item) : undefined;
  if (item?.type !== 'UserMessage') return undefined;
  return { text: joinTexts(item.content), record: 'item' };
}

function messagePrompt(payload: Record<string, unknown>): RolloutPrompt | undefined {
  if (payload.type !== 'message' || payload.role !== 'user') return undefined;
  const text = joinTexts(payload.content);
  const kinds = asObject(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds;
  const isTyped = kinds === undefined ? !INJECTED.test(text) : asList(kinds).includes('user.text');
  return isTyped && text !== '' ? { text, record: 'message' } : undefined;
}

function joinTexts(content: unknown): string {
  return asList(content)
    .flatMap((part) => asText(asObject(part)?.text) ?? [])
    .join('\n');
}
