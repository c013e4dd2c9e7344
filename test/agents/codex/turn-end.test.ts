import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastTurnMark, readTurnMark, turnMarkOf } from '../../../agents/codex/turn-end.ts';

const rollouts = path.join(import.meta.dirname, '../../fixtures/codex/rollouts');
const record = (type: string, payload: object) =>
  JSON.stringify({ timestamp: '2026-11-30T10:32:46.891Z', ordinal: 1, type, payload });
const event = (type: string, more: object = {}) => record('event_msg', { type, ...more });

describe('how the last turn of a rollout stands', () => {
  it.each([
    ['exec-simple', 'done'],
    ['tui-approve', 'done'],
    ['tui-compact', 'done'],
    ['tui-deny-esc', 'interrupted'],
    ['tui-interrupt-esc', 'interrupted'],
    ['tui-error', 'failed'],
  ])('is read from the capture %s as %s', async (name, standing) => {
    const mark = await readTurnMark(path.join(rollouts, `${name}.jsonl`));
    expect(mark?.standing).toBe(standing);
    expect(new Date(mark?.at ?? 0).toISOString()).toMatch(/^2026-11-30T/);
  });

  it('is running between its start and its end', () => {
    expect(
      lastTurnMark([event('task_complete'), event('task_started'), event('token_count')].join('\n')),
    ).toMatchObject({ standing: 'running' });
  });

  it('is known under the names of other versions', () => {
    expect(turnMarkOf(event('turn_started'))).toMatchObject({ standing: 'running' });
    expect(turnMarkOf(event('turn_complete'))).toMatchObject({ standing: 'done' });
  });

  it('is never taken from a text that speaks of such records', () => {
    const quoted = event('task_complete');
    expect(turnMarkOf(record('response_item', { type: 'message', text: quoted }))).toBeUndefined();
    expect(turnMarkOf(event('item_completed', { text: quoted }))).toBeUndefined();
  });

  it('is done when the error is empty or the line is cut', () => {
    expect(turnMarkOf(event('task_complete', { error: null }))).toMatchObject({ standing: 'done' });
    expect(turnMarkOf(event('task_complete', { error: { message: 'x' } }).slice(0, -5))).toMatchObject({
      standing: 'done',
    });
  });

  describe('in a file', () => {
    let dir: string;
    beforeAll(() => {
      dir = mkdtempSync(path.join(os.tmpdir(), 'turn-end-'));
    });
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    it('is found behind a long last answer', async () => {
      const file = path.join(dir, 'long.jsonl');
      writeFileSync(file, `${event('task_started')}\n`);
      appendFileSync(
        file,
        `${event('turn_aborted')}\n${record('response_item', { text: 'é'.repeat(60_000) })}\n`,
      );
      expect(await readTurnMark(file)).toMatchObject({ standing: 'interrupted' });
    });

    it('is unknown when it lies too far back, and the file is not read whole', async () => {
      const file = path.join(dir, 'far.jsonl');
      writeFileSync(
        file,
        `${event('task_complete')}\n${record('response_item', { text: 'x'.repeat(400_000) })}\n`,
      );
      expect(await readTurnMark(file)).toBeUndefined();
    });

    it('is unknown for an empty file, a folder and no file', async () => {
      writeFileSync(path.join(dir, 'empty'), '');
      expect(await readTurnMark(path.join(dir, 'empty'))).toBeUndefined();
      expect(await readTurnMark(dir)).toBeUndefined();
      expect(await readTurnMark(path.join(dir, 'none'))).toBeUndefined();
    });
  });
});
