import { createRequire } from 'node:module';

/**
 * A module of Node that is loaded when it is asked for, not with the program: some take milliseconds that an agent would
 * wait for each time. `process.getBuiltinModule` would do, but Node 22 has it from 22.3 on only.
 *
 * @throws Error when this Node has no such module (`node:sqlite`).
 */
export function builtinModule(name: `node:${string}`): unknown {
  return createRequire(process.execPath)(name);
}
