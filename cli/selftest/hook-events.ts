import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Signal, signal } from './signals.ts';

/** The hooks that fire in the scripted turn of either agent, one permission included. */
export const HOOKS_OF_A_TURN = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'Stop',
  'SessionEnd',
] as const;

const POLL_MS = 50;

/** The hook events in the journals of a folder, by the agent's own names. */
export function journaledHooks(folder: string): Set<string> {
  const names = new Set<string>();
  for (const file of journalsIn(folder)) {
    for (const line of readText(path.join(folder, file)).split('\n')) {
      const name = hookOf(line);
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** Waits until every wanted event is in a journal: hooks run beside the agent and may come after its end. */
export async function awaitHooks(
  folder: string,
  wanted: readonly string[],
  ms: number,
): Promise<Set<string>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = journaledHooks(folder);
    if (wanted.every((name) => found.has(name)) || performance.now() > deadline) return found;
    await sleep(POLL_MS);
  }
}

/** One signal for each wanted event. */
export function hookSignals(wanted: readonly string[], found: ReadonlySet<string>): Signal[] {
  return wanted.map((name) => signal('hooks', name, found.has(name), `no ${name} hook came`));
}

function hookOf(line: string): string | undefined {
  try {
    const record = JSON.parse(line) as { op?: unknown; hook?: unknown };
    if (record.op === 'end') return 'SessionEnd';
    return typeof record.hook === 'string' ? record.hook : undefined;
  } catch {
    return undefined;
  }
}

function journalsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
