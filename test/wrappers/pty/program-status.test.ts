import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramStatus } from '../../../wrappers/pty/program-status.ts';

function told(...records: string[]) {
  const status = new ProgramStatus();
  for (const record of records) status.read(Buffer.from(record));
  return { ...status.current, unknownWords: status.unknownWords };
}

const known = (state: string, more: object = {}) => ({ state, subagents: 0, unknownWords: {}, ...more });

describe('a program status record of the session', () => {
  it.each([
    [['state=idle:app=claude-code'], known('idle')],
    [['state=working:app=claude-code'], known('working')],
    [['state=working:app=claude-code:msg=V3JpdGluZw=='], known('working')],
    [['state=blocked:app=claude-code:kind=permission:msg=eA=='], known('waiting_for_permission')],
    [['state=blocked:app=claude-code:kind=question:msg=eA=='], known('waiting_for_input')],
    [['state=blocked:kind=auth'], known('waiting_for_permission')],
    [['state=working', 'state=done'], known('idle', { outcome: 'done' })],
    [['state=working', 'state=error:msg=eA=='], known('idle', { outcome: 'failed' })],
    [['state=working', 'state=idle'], known('idle', { outcome: 'interrupted' })],
    [['state=blocked:kind=question', 'state=idle'], known('idle', { outcome: 'interrupted' })],
    [['state=working', 'state=done', 'state=idle'], known('idle', { outcome: 'done' })],
    [['state=working', 'state=done', 'state=working'], known('working')],
    [['state=working', 'state=clear'], { unknownWords: {} }],
  ])('%j', (records, expected) => {
    expect(told(...records)).toEqual(expected);
  });

  it('with a word that is not known changes nothing and is counted', () => {
    expect(told('state=working', 'state=pondering', '', 'progress=40')).toEqual({
      ...known('working'),
      unknownWords: { 'state=pondering': 1, 'state=?': 2 },
    });
  });

  it('that names an unknown kind of wait is a wait, and is counted', () => {
    expect(told('state=blocked:kind=payment', 'state=blocked:kind=payment')).toEqual({
      ...known('waiting_for_permission'),
      unknownWords: { 'kind=payment': 2 },
    });
  });

  it('tells nothing of a word that is none, and not endlessly many', () => {
    expect(told('state=Please fix my code').unknownWords).toEqual({ 'state=?': 1 });
    const many = Array.from({ length: 100 }, (_, at) => `state=${'x'.repeat((at % 23) + 1)}`);
    expect(Object.keys(told(...many).unknownWords)).toHaveLength(16);
  });

  it('is not led astray by what a message says', () => {
    expect(told('state=working:msg=state=idle', 'msg=x:state=blocked:kind=question')).toEqual(
      known('waiting_for_input'),
    );
  });
});

describe('a record with an id is about a subagent', () => {
  it('and only counts it', () => {
    const records = ['state=working', 'state=working:id=a:title=eA==', 'state=working:id=b'];
    expect(told(...records)).toEqual(known('working', { subagents: 2 }));
    expect(told(...records, 'state=clear:id=a')).toEqual(known('working', { subagents: 1 }));
    expect(told(...records, 'state=working:id=b')).toEqual(known('working', { subagents: 2 }));
  });

  it('nothing the session itself has to say', () => {
    expect(told('state=idle', 'state=blocked:kind=permission:id=a')).toEqual(known('idle', { subagents: 1 }));
  });
});

it('whatever arrives, there is a state that is one, and a bounded number of subagents', () => {
  const record = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .tuple(fc.constantFrom('working', 'blocked', 'idle', 'clear', 'x'), fc.string())
      .map(([s, i]) => `state=${s}:id=${i}`),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 400 }), (records) => {
      const { state, subagents } = told(...records);
      expect([undefined, 'working', 'idle', 'waiting_for_input', 'waiting_for_permission']).toContain(state);
      expect(subagents ?? 0).toBeLessThanOrEqual(256);
    }),
  );
});
