import { expect } from 'vitest';
import { claudePid, mapClaudeHook } from '../../../sink/claude-mapping.ts';
import { readHookPayload } from '../../../sink/hook-payload.ts';
import { withoutAdditive } from '../compare.ts';
import type { KindRunners, VectorCase } from '../load.ts';

interface HookCase extends VectorCase {
  stdin_json?: unknown;
  stdin?: string;
  ppid?: number;
  env?: Record<string, string>;
  expect: { skip: true } | { op: string; payload: Record<string, unknown> };
}

function run(testCase: VectorCase): void {
  const { stdin_json, stdin, ppid, env, expect: expected } = testCase as HookCase;
  const payload = readHookPayload(stdin ?? JSON.stringify(stdin_json));
  const operation = typeof payload === 'string' ? undefined : mapClaudeHook(payload);
  if ('skip' in expected) {
    expect(operation).toBeUndefined();
    return;
  }
  const pid = claudePid(env ?? {}, ppid);
  const sent = { ...operation?.payload, ...(pid === undefined ? {} : { pid }) };
  expect(operation?.op).toBe(expected.op);
  expect(withoutAdditive(sent, expected.payload)).toEqual(expected.payload);
}

export const kinds: KindRunners = { case: run };
