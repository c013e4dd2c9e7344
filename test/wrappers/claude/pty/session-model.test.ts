import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionModel } from '../../../../wrappers/claude/pty/session-model.ts';

const ID = '4f2a1111-0000-4000-8000-000000000000';
let home: string;
let model: SessionModel;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-model-'));
  model = new SessionModel({ env: {}, platform: 'linux', home, uid: 1 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const answer = (id: string, more: object = {}) =>
  `${JSON.stringify({ type: 'assistant', message: { model: id, content: [] }, ...more })}\n`;

function transcript(project: string, text: string): string {
  const folder = path.join(home, '.claude', 'projects', project);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${ID}.jsonl`);
  writeFileSync(file, text);
  return file;
}

describe('the model of a session', () => {
  it('is that of its latest answer, told once', () => {
    const file = transcript('-src-shop', answer('claude-opus-4-1') + answer('claude-sonnet-4-5'));
    expect(model.look(ID, '/src/shop')).toBe('claude-sonnet-4-5');
    expect(model.look(ID, '/src/shop')).toBeUndefined();
    appendFileSync(file, answer('claude-haiku-4-5'));
    expect(model.look(ID, '/src/shop')).toBe('claude-haiku-4-5');
  });

  it('is found where the session was resumed in another folder', () => {
    transcript('-src-other', '');
    transcript('-src-shop', answer('claude-opus-4-1'));
    rmSync(path.join(home, '.claude', 'projects', '-src-other', `${ID}.jsonl`));
    expect(model.look(ID, '/src/other')).toBe('claude-opus-4-1');
  });

  it('is found as soon as there is a transcript, without looking everywhere all the time', () => {
    expect(model.look(ID, '/src/shop')).toBeUndefined();
    transcript('-src-shop', answer('claude-opus-4-1'));
    expect(model.look(ID, '/src/shop')).toBe('claude-opus-4-1');
  });

  it('found late elsewhere is found all the same', () => {
    expect(model.look(ID, '/src/other')).toBeUndefined();
    transcript('-src-shop', answer('claude-opus-4-1'));
    const looks = Array.from({ length: 12 }, () => model.look(ID, '/src/other'));
    expect(looks.filter((seen) => seen !== undefined)).toEqual(['claude-opus-4-1']);
  });

  it('is none of a subagent, of a text that is no answer, or of what is no id', () => {
    const beside = answer('claude-haiku-4-5', { isSidechain: true });
    transcript('-src-shop', `${answer('claude-opus-4-1')}${beside}${answer('<synthetic>')}{"type":"assi`);
    expect(model.look(ID, '/src/shop')).toBe('claude-opus-4-1');
    expect(model.look('../../etc/passwd', '/src/shop')).toBeUndefined();
  });
});
