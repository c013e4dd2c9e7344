import { expect, it } from 'vitest';
import type { ObservePayload } from '../../../contract/messages.ts';
import { ReportedWords } from '../../../daemon-lite/server/reported-words.ts';

const report = (session_id: string, unknown_words?: Record<string, number>): ObservePayload => ({
  session_id,
  event: { stream_state: 'idle' },
  ...(unknown_words === undefined ? {} : { unknown_words }),
});

it('each session tells all of its words each time: the latest report counts, and sessions add up', () => {
  const words = new ReportedWords();
  words.take(report('a', { 'state=pondering': 1 }));
  words.take(report('a', { 'state=pondering': 2, 'kind=x': 1 }));
  words.take(report('a'));
  words.take(report('b', { 'state=pondering': 5 }));
  expect(words.detail()).toEqual({ unknown_words: { 'state=pondering': 7, 'kind=x': 1 } });
});

it('a bounded number of sessions is kept, those that spoke last', () => {
  const words = new ReportedWords();
  for (let at = 0; at < 500; at += 1) words.take(report(`s${at}`, { odd: 1 }));
  expect(words.detail()).toEqual({ unknown_words: { odd: 64 } });
});
