import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../../../wrappers/pty/answer-reader.ts';

function reader() {
  let answers = 0;
  const answer = new AnswerReader(() => {
    answers += 1;
  });
  return { answer, answers: () => answers };
}

describe.each(['\x1b\\', '\x07'])('the answer of the terminal, ended by %j', (ending) => {
  const bytes = Buffer.from(`ab\x1b[A\x1b]7501;?${ending}c`);

  it('is taken out wherever it is cut', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { answer, answers } = reader();
      answer.expect();
      const out = [answer.push(bytes.subarray(0, cut)), answer.push(bytes.subarray(cut))];
      expect([cut, Buffer.concat(out).toString(), answers()]).toEqual([cut, 'ab\x1b[Ac', 1]);
      expect(answer.holds).toBe(false);
    }
  });

  it('passes when none is expected', () => {
    const { answer, answers } = reader();
    expect(answer.push(bytes)).toBe(bytes);
    expect(answers()).toBe(0);
  });
});

it('keys that look like its beginning come out again', () => {
  const { answer, answers } = reader();
  answer.expect();
  expect(answer.push(Buffer.from('\x1b')).toString()).toBe('');
  expect(answer.release().toString()).toBe('\x1b');
  expect(answer.push(Buffer.from('\x1b]750')).toString()).toBe('');
  expect(answer.push(Buffer.from('x\x1b')).toString()).toBe('\x1b]750x');
  expect(answer.giveUp().toString()).toBe('\x1b');
  expect(answer.push(Buffer.from('\x1b')).toString()).toBe('\x1b');
  expect(answers()).toBe(0);
});
