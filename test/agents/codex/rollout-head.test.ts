import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRolloutHead } from '../../../agents/codex/rollout-head.ts';

const rollouts = path.join(import.meta.dirname, '../../fixtures/codex/rollouts');
const OTHERS = ['tui-auto-review.2.jsonl', 'tui-subagent.2.jsonl'];

describe('the first line of a rollout', () => {
  it.each(readdirSync(rollouts))('says what the captured thread is: %s', (name) => {
    const file = path.join(rollouts, name);
    const first = readFileSync(file, 'utf8').split('\n')[0] ?? '';
    const { payload } = JSON.parse(first) as { payload: { id: string; cwd: string; source: unknown } };
    expect(readRolloutHead(file, statSync(file).size)).toEqual({
      threadId: payload.id,
      cwd: payload.cwd,
      isSession: !OTHERS.includes(name),
    });
    expect(typeof payload.source === 'object').toBe(OTHERS.includes(name));
  });

  describe('of a made-up file', () => {
    let dir: string;
    beforeAll(() => {
      dir = mkdtempSync(path.join(os.tmpdir(), 'rollout-head-'));
    });
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    const headOf = (text: string) => {
      const file = path.join(dir, 'rollout');
      writeFileSync(file, text);
      return readRolloutHead(file, Buffer.byteLength(text));
    };
    const meta = (payload: object) =>
      JSON.stringify({ type: 'session_meta', payload: { id: 'A', ...payload } });

    it('may be longer than the model’s instructions of today, but not without limit', () => {
      const long = (bytes: number) =>
        `${meta({ base_instructions: { text: 'x'.repeat(bytes) } })}\n{"type":"event_msg"}\n`;
      expect(headOf(long(200_000))).toMatchObject({ threadId: 'a', isSession: true });
      expect(headOf(long(300_000))).toBeUndefined();
    });

    it.each([
      [{ source: 'cli' }, true],
      [{}, true],
      [{ source: { custom: 'x' } }, true],
      [{ source: { subagent: { thread_spawn: {} } } }, false],
      [{ source: { subagent: 'review' } }, false],
      [{ source: { subAgent: { other: 'guardian' } } }, false],
      [{ source: 'cli', thread_source: 'guardian_review' }, false],
    ])('%j is a session: %s', (payload, isSession) => {
      expect(headOf(`${meta(payload)}\n`)).toMatchObject({ isSession });
    });

    it.each([
      '',
      '\n',
      '{"type":"session_meta","payload":{"id":"A"',
      '[]\n',
      '{"type":"event_msg","payload":{"id":"A"}}\n',
      '{"type":"session_meta","payload":{"id":7}}\n',
      'null\n',
    ])('says nothing when it is %j', (text) => {
      expect(headOf(text)).toBeUndefined();
    });

    it('says nothing when there is no such file', () => {
      expect(readRolloutHead(path.join(dir, 'none'), 10)).toBeUndefined();
    });
  });
});
