import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchIds } from '../../catalog/select.ts';
import type { Candidate, Harness } from '../../catalog/session.ts';

const candidate = (harness: Harness, id: string): Candidate => ({
  harness,
  id,
  path: id,
  size: 0,
  writtenAt: 0,
});
const all = [
  candidate('codex', '0199aaaa-1111'),
  candidate('codex', '0199aaaa-2222'),
  candidate('claude-code', '0199bbbb-1111'),
  candidate('pi', 'my-id'),
  candidate('pi', 'my-id-2'),
  candidate('pi', 'ab'),
];

const idOf = (reference: string) => {
  const selection = matchIds(all, reference);
  return selection.kind === 'one' ? selection.candidate.id : selection.kind;
};

describe('a reference to a session', () => {
  it.each([
    ['0199b', '0199bbbb-1111'],
    ['0199BBBB', '0199bbbb-1111'],
    [' 0199b ', '0199bbbb-1111'],
    ['0199aaaa-1111', '0199aaaa-1111'],
    ['codex:0199aaaa-2', '0199aaaa-2222'],
    ['claude:0199', '0199bbbb-1111'],
    ['claude-code:0199', '0199bbbb-1111'],
    ['my-id', 'my-id'],
    ['ab', 'ab'],
    ['0199', 'ambiguous'],
    ['codex:0199', 'ambiguous'],
    ['codex:0199b', 'none'],
    ['ffff', 'none'],
    ['019', 'too-short'],
    ['', 'too-short'],
    ['pi:', 'too-short'],
    ['gemini:0199', 'unknown-harness'],
  ])('%j is %s', (reference, expected) => {
    expect(idOf(reference)).toBe(expected);
  });

  it('that is ambiguous shows a few and counts all', () => {
    const many = Array.from({ length: 12 }, (_, index) => candidate('codex', `0199aaaa-${index}`));
    expect(matchIds(many, '0199')).toEqual({ kind: 'ambiguous', count: 12, shown: many.slice(0, 5) });
  });

  it('never means two sessions, and a whole id always means its own', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 20 }), fc.nat(), (ids, pick) => {
        const candidates = ids.map((id) => candidate('codex', id));
        const id = ids[pick % ids.length] ?? '';
        expect(matchIds(candidates, id)).toEqual({ kind: 'one', candidate: candidates[ids.indexOf(id)] });
        const selection = matchIds(candidates, id.slice(0, 6));
        const count = ids.filter((other) => other.startsWith(id.slice(0, 6))).length;
        expect(selection.kind).toBe(count === 1 ? 'one' : 'ambiguous');
      }),
    );
  });
});
