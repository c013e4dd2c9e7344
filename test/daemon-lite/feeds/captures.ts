import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../../fixtures/claude');

/** Names of the captures of one kind, without extension. */
export function captureNames(kind: 'hooks' | 'live'): string[] {
  return readdirSync(path.join(FOLDER, kind))
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.agents.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}

/** The lines of one capture. `t` is milliseconds since its start. */
export function captureLines<T extends { t: number }>(kind: 'hooks' | 'live', name: string): T[] {
  const text = readFileSync(path.join(FOLDER, kind, `${name}.jsonl`), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The states that are right for a capture, in order, or undefined for one without a stream. */
export function expectedStates(name: string): string[] | undefined {
  const file = path.join(FOLDER, `${name}.expect.json`);
  if (!existsSync(file)) return undefined;
  const { changes } = JSON.parse(readFileSync(file, 'utf8')) as { changes: { state: string }[] };
  return changes.map((change) => change.state);
}

/** Adds a state to a sequence unless it is the last one already. */
export function addState(sequence: string[], state: string | undefined): void {
  if (state !== undefined && sequence.at(-1) !== state) sequence.push(state);
}
