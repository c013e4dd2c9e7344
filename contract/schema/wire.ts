import { z } from 'zod';
import { AGENTS, FEEDS, NOTIFICATION_KINDS, OUTCOMES, PLAIN_EVENTS, SESSION_STATES } from '../events.ts';
import { UNKNOWN_WORD_LENGTH, UNKNOWN_WORDS_LIMIT } from '../messages.ts';

/** The schemas of the wire. Unknown keys are dropped, unknown values refused. Never import this from a hot path. */

export const stateSchema = z.enum(SESSION_STATES);
export const agentSchema = z.enum(AGENTS);

export const eventSchema = z.union([
  z.enum(PLAIN_EVENTS),
  z.object({ notification: z.enum(NOTIFICATION_KINDS) }),
  z.object({ stream_state: stateSchema }),
]);

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const pid = z
  .int()
  .positive()
  .nullish()
  .transform((value) => value ?? undefined);

/** A stamp that does not parse counts as none: the event is applied without dedupe. */
const stamp = z
  .object({ ts: z.iso.datetime({ offset: true }), seq: z.string().min(1) })
  .optional()
  .catch(undefined);

/** Additive keys must never make an older daemon's refusal out of a newer sender's word: what does not fit is dropped. */
const additive = {
  feed: z.enum(FEEDS).optional().catch(undefined),
  pid_ns: z.string().optional().catch(undefined),
};

const count = z.int().nonnegative();

const unknownWords = z
  .record(z.string().max(UNKNOWN_WORD_LENGTH), count)
  .refine((words) => Object.keys(words).length <= UNKNOWN_WORDS_LIMIT);

export const backgroundSchema = z.object({
  subagents: z.int().nonnegative(),
  shells: z.int().nonnegative(),
});

export const observeSchema = z.object({
  session_id: z.string(),
  event: eventSchema,
  cwd: optionalText,
  transcript_path: optionalText,
  repo: optionalText,
  model: optionalText,
  agent: agentSchema.nullish().transform((value) => value ?? undefined),
  agent_id: optionalText,
  pid,
  stamp,
  ...additive,
  background: backgroundSchema.optional().catch(undefined),
  outcome: z.enum(OUTCOMES).optional().catch(undefined),
  hook: z.string().optional().catch(undefined),
  prompt_id: z.string().optional().catch(undefined),
  turn_id: z.string().optional().catch(undefined),
  tool_use_id: z.string().optional().catch(undefined),
  unknown_words: unknownWords.optional().catch(undefined),
});

export const endSchema = z.object({
  session_id: z.string(),
  reason: z.string().optional().catch(undefined),
  pid: z.int().positive().optional().catch(undefined),
  stamp,
  ...additive,
});

export const windowSchema = z.object({
  key: z.string(),
  folders: z.array(z.string()).default([]),
  tabs: count.default(0),
  terminals: count.default(0),
});

export const requestSchema = z.object({
  service: z.string().nullish(),
  op: z.string(),
  payload: z.unknown().optional(),
  origin_invocation_id: z.string().optional().catch(undefined),
});

export const sourceSchema = z.union([
  z.object({ kind: z.literal('terminal') }),
  z.object({ kind: z.literal('vs_code'), window_key: z.string() }),
]);

export const entrySchema = z.object({
  session_id: z.string(),
  agent: agentSchema,
  state: stateSchema,
  source: sourceSchema,
  last_event: eventSchema,
  started_at: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  cwd: z.string().optional(),
  transcript_path: z.string().optional(),
  repo: z.string().optional(),
  model: z.string().optional(),
  feed: z.enum(FEEDS).optional(),
  since: z.iso.datetime().optional(),
  background: backgroundSchema.optional(),
  outcome: z.enum(OUTCOMES).optional(),
  owners: z.int().positive().optional(),
  stale: z.boolean().optional(),
});

export const snapshotSchema = z.object({ sessions: z.array(entrySchema) });
