/** The texts of a hook payload that the sink reads. Everything else (prompts, tool input and output) is never touched. */
export const TEXT_FIELDS = [
  'session_id',
  'hook_event_name',
  'cwd',
  'transcript_path',
  'model',
  'message',
  'notification_type',
  'reason',
  'source',
  'agent_id',
] as const;
type TextField = (typeof TEXT_FIELDS)[number];

/** A payload that passed {@link readHookPayload}: known texts are strings, the rest is unchecked. */
export type HookPayload = { [field in TextField]?: string } & {
  session_id: string;
  hook_event_name: string;
} & {
  readonly raw: Readonly<Record<string, unknown>>;
};

/** Why a payload sends nothing. */
export type PayloadProblem = 'not_json' | 'not_an_object' | 'wrong_type' | 'no_session_id' | 'no_event_name';

/**
 * Reads one hook's standard input. A known field of a wrong type rejects the payload as a whole (the contract's rule: it
 * is not the payload we know); null counts as absent.
 */
export function readHookPayload(text: string): HookPayload | PayloadProblem {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return 'not_an_object';
  const fields = raw as Record<string, unknown>;
  const texts: { [field in TextField]?: string } = {};
  for (const name of TEXT_FIELDS) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return 'wrong_type';
    texts[name] = value;
  }
  const { session_id, hook_event_name } = texts;
  if (session_id === undefined || session_id.trim() === '') return 'no_session_id';
  if (hook_event_name === undefined || hook_event_name.trim() === '') return 'no_event_name';
  return { ...texts, session_id, hook_event_name, raw: fields };
}

/** A text of the payload outside the contract's fields, or undefined when it is missing, blank or no text. */
export function extraText(payload: HookPayload, name: string): string | undefined {
  const value = payload.raw[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
