import { z } from 'zod';
import {
  endSchema,
  entrySchema,
  observeSchema,
  requestSchema,
  snapshotSchema,
  windowSchema,
} from '../../contract/schema/wire.ts';
import type { CliContext } from '../context.ts';
import { printJson, printLines } from '../output.ts';
import { UsageError } from '../usage-error.ts';

/** What crosses the wire, by name. What a daemon takes is described as it may be sent, not as it is kept. */
const SCHEMAS = {
  request: { schema: requestSchema, about: 'one request line', io: 'input' },
  observe: { schema: observeSchema, about: 'payload of `observe`', io: 'input' },
  end: { schema: endSchema, about: 'payload of `end`', io: 'input' },
  window: { schema: windowSchema, about: 'payload of `window`', io: 'input' },
  entry: { schema: entrySchema, about: 'one session of `list`', io: 'output' },
  snapshot: {
    schema: snapshotSchema,
    about: 'reply payload of `list`, and of each `subscribe` frame',
    io: 'output',
  },
} as const;

/** `schema [name]`: the JSON Schema of a message, or the names. */
export async function run(context: CliContext, _: unknown, [name]: string[]): Promise<void> {
  if (name === undefined) {
    const lines = Object.entries(SCHEMAS).map(([key, { about }]) => `${key.padEnd(10)} ${about}`);
    return printLines(context, lines);
  }
  if (!isName(name))
    throw new UsageError(`no schema is called ${name}; there are: ${Object.keys(SCHEMAS).join(', ')}`);
  const { schema, about, io } = SCHEMAS[name];
  await printJson(context, { title: about, ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) });
}

function isName(name: string): name is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, name);
}
