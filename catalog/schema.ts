import { z } from 'zod';
import { SESSION_STATES } from '../contract/events.ts';
import { CATALOG_STATES, HARNESSES, RUNTIME_SOURCES, type Session, TITLE_SOURCES } from './session.ts';

/** The schemas of what the catalog prints as JSON. docs/schema/session-catalog.schema.json is generated from them. */

const time = z.string().meta({ format: 'date-time', description: 'RFC 3339, UTC' });

const resumeSpec = z
  .strictObject({
    command: z.array(z.string()).describe('program and arguments'),
    cwd: z.string().describe('directory to run it in'),
    prepare: z
      .array(z.array(z.string()))
      .optional()
      .describe('commands to run before it, in the same directory'),
    env: z.record(z.string(), z.string()).optional().describe('variables to set for it'),
  })
  .describe('how to resume the session');

const runtime = z
  .strictObject({
    source: z.enum(RUNTIME_SOURCES).describe('what proves that the session is running'),
    pid: z.int().positive().optional(),
    startedAt: time.optional(),
    state: z.enum(SESSION_STATES).optional().describe('what the session is doing, where the source says'),
  })
  .describe('the live process');

const evidence = z
  .strictObject({
    lowerBound: z.literal(true).describe('what is missing was not observed, not proven untouched'),
    complete: z.boolean().describe('the whole conversation was read'),
    repositories: z.array(
      z.strictObject({ folder: z.string(), name: z.string(), id: z.string().optional() }),
    ),
    files: z.array(z.strictObject({ path: z.string(), access: z.enum(['read', 'written']) })),
    commits: z.array(
      z.strictObject({ sha: z.string(), branch: z.string().optional(), subject: z.string().optional() }),
    ),
    workRefs: z.array(
      z.strictObject({
        id: z.string(),
        rule: z.string(),
        places: z.array(z.string()),
        title: z.string().optional(),
      }),
    ),
  })
  .describe('what the session touched, as far as was seen');

export const sessionSchema = z
  .strictObject({
    harness: z.enum(HARNESSES),
    id: z.string().describe("the harness's session id"),
    title: z.string().optional(),
    titleSource: z.enum(TITLE_SOURCES).optional(),
    cwd: z.string().optional().describe('directory the session started in'),
    repository: z
      .string()
      .optional()
      .describe('github.com/org/repo, or the name of a repository without a remote'),
    gitBranch: z.string().optional(),
    origin: z.string().optional().describe("how the session was started, in the harness's words"),
    createdAt: time.optional(),
    lastActivityAt: time,
    lastHumanActivityAt: time.optional().describe('when a person last typed a prompt'),
    recentPrompts: z.array(z.string()).describe('the latest prompts a person typed, oldest first, cut'),
    state: z.enum(CATALOG_STATES),
    runtime: runtime.optional(),
    resume: resumeSpec.optional(),
    archived: z.boolean().optional(),
    links: z
      .strictObject({
        forkedFrom: z.string().optional(),
        continues: z.string().optional(),
        continuedBy: z.array(z.string()).optional(),
      })
      .optional(),
    transcript: z.string().describe('the file that holds the conversation'),
    evidence: evidence.optional(),
  })
  .describe('One session. Printed by sessions show -o json and sessions pick -o json.');

export const findResultSchema = z
  .strictObject({
    sessions: z.array(sessionSchema).describe('newest first'),
    errors: z
      .array(z.strictObject({ harness: z.enum(HARNESSES), path: z.string().optional(), reason: z.string() }))
      .describe('what could not be read; the sessions that were read are there all the same'),
  })
  .describe('Printed by sessions find -o json.');

/** Holds the type and the schema together: an error here is a difference between them. */
type Described = z.infer<typeof sessionSchema>;
type IsDescribed = [Session] extends [Described]
  ? [keyof Described] extends [keyof Session]
    ? true
    : never
  : never;
export const SESSION_IS_DESCRIBED: IsDescribed = true;

/** The JSON Schema document that is shipped with the package. */
export function catalogJsonSchema(): object {
  const registry = z.registry<{ id: string }>();
  registry.add(sessionSchema, { id: 'Session' });
  registry.add(findResultSchema, { id: 'FindResult' });
  registry.add(resumeSpec, { id: 'ResumeSpec' });
  registry.add(evidence, { id: 'Evidence' });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/$defs/${id}` });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'session-catalog.schema.json',
    title: 'omni-dev session catalog',
    anyOf: [{ $ref: '#/$defs/FindResult' }, { $ref: '#/$defs/Session' }],
    $defs: Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
    ),
  };
}
