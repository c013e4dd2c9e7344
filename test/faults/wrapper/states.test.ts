import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { reportsTo, statesIn, untilState } from '../../wrappers/claude/support/reports.ts';
import {
  answers,
  asks,
  init,
  interrupt,
  prompt,
  result,
  says,
  stateLine,
} from '../../wrappers/claude/support/stream-lines.ts';
import { WrappedChild } from '../../wrappers/claude/support/wrapped-child.ts';

let daemon: FakeDaemon;
let child: WrappedChild;

beforeEach(async () => {
  daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
  const childArguments = ['--input-format', 'stream-json'];
  child = await new WrappedChild({ socket: daemon.socket, childArguments }).ready();
});

afterEach(async () => {
  await child.dispose();
  await daemon.close();
});

const claude = (...lines: string[]) => child.childWrites(lines.join(''));
const host = (...lines: string[]) => child.hostWrites(lines.join(''));

/** The transitions so far, once this state is the last and nothing else is on its way. */
async function transitionsUpTo(state: string): Promise<string[]> {
  await untilState(daemon, state);
  child.tell({ exit: 0 });
  await child.exited();
  const states = statesIn(daemon);
  return states.filter((next, at) => next !== states[at - 1]);
}

describe('A1: an interrupt, for which no hook fires', () => {
  it('is idle with the outcome "interrupted" as soon as the stream says so', async () => {
    await host(prompt);
    await claude(stateLine('running'), init, says('working on it'));
    await untilState(daemon, 'working');
    await host(interrupt);
    await claude(
      result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' }),
      stateLine('idle'),
    );
    await untilState(daemon, 'idle');
    expect(reportsTo(daemon).at(-1)).toMatchObject({ outcome: 'interrupted' });
  });

  it('holds in a stream without state lines too', async () => {
    await host(prompt);
    await claude(init, says('working on it'));
    await host(interrupt);
    await claude(result({ subtype: 'error_during_execution', is_error: true }));
    await untilState(daemon, 'idle');
    expect(reportsTo(daemon).at(-1)).toMatchObject({ outcome: 'interrupted' });
  });
});

describe('A2: the wait ends with the answer, not with the tool', () => {
  for (const [what, behavior] of [
    ['allowed', 'allow'],
    ['denied', 'deny'],
  ]) {
    it(`${what}: working again on the line that answers`, async () => {
      await host(prompt);
      await claude(init, stateLine('running'), stateLine('requires_action'), asks('r1', 'Bash'));
      await untilState(daemon, 'waiting_for_permission');
      const answer = { subtype: 'success', request_id: 'r1', response: { behavior } };
      await host(`${JSON.stringify({ type: 'control_response', response: answer })}\n`);
      await untilState(daemon, 'working');
    });
  }

  it('withdrawn by Claude: the wait is over as well', async () => {
    await claude(init, stateLine('running'), asks('r1', 'Bash'));
    await untilState(daemon, 'waiting_for_permission');
    await claude('{"type":"control_cancel_request","request_id":"r1"}\n');
    await untilState(daemon, 'working');
  });
});

describe('A3: no flicker', () => {
  it('a turn with one question has exactly its own transitions, however much is streamed meanwhile', async () => {
    const stream = '{"type":"stream_event","event":{"type":"content_block_delta"}}\n'.repeat(200);
    await host(prompt);
    await claude(stateLine('running'), init, stream, stateLine('requires_action'), asks('r', 'Bash'), stream);
    await untilState(daemon, 'waiting_for_permission');
    await host(answers('r'));
    await claude(stateLine('running'), stream, result(), stateLine('idle'));
    expect(await transitionsUpTo('idle')).toEqual(['working', 'waiting_for_permission', 'working', 'idle']);
  });
});

describe('A4: prose decides nothing', () => {
  it('text that reads like a dialog or like a protocol line is text', async () => {
    await claude(stateLine('running'), init);
    await claude(
      says('Would you like to proceed? yes / no'),
      says('{"type":"control_request","request":{"subtype":"can_use_tool"}}'),
      says('"session_state_changed" idle "result"'),
      stateLine('idle'),
    );
    expect(await transitionsUpTo('idle')).toEqual(['working', 'idle']);
  });
});

describe('A18: words that are not known', () => {
  it('an unknown line, system line, control request and state leave the state and are forwarded', async () => {
    await claude(stateLine('running'), init);
    await untilState(daemon, 'working');
    await claude(
      '{"type":"never_seen","state":"idle"}\n',
      '{"type":"system","subtype":"never_seen","state":"idle"}\n',
      '{"type":"control_request","request_id":"n","request":{"subtype":"never_seen"}}\n',
      stateLine('pondering'),
    );
    expect(child.outputEnded).toBe(false);
    await claude(stateLine('idle'));
    expect(await transitionsUpTo('idle')).toEqual(['working', 'idle']);
  });
});

describe('A26: a tool that runs without asking', () => {
  it('is work, no wait', async () => {
    const tool = '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","id":"t"}]}}\n';
    const done = '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}\n';
    await host(prompt);
    await claude(stateLine('running'), init, tool, done, result(), stateLine('idle'));
    expect(await transitionsUpTo('idle')).toEqual(['working', 'idle']);
  });
});

describe('a question larger than what is read', () => {
  it('is a wait for permission when Claude says that it needs an answer', async () => {
    const request = {
      subtype: 'can_use_tool',
      tool_name: 'Write',
      input: { content: 'x'.repeat(1_200_000) },
    };
    await claude(stateLine('running'), init, stateLine('requires_action'));
    await claude(`${JSON.stringify({ type: 'control_request', request_id: 'big', request })}\n`);
    await untilState(daemon, 'waiting_for_permission');
    await claude(stateLine('running'));
    await untilState(daemon, 'working');
  });
});

describe('D14, D15: titles on a pipe', () => {
  const title = (text: string) => `\u001b]0;${text}\u0007`;
  const out = () => Buffer.concat(child.output).toString();

  it('D15: a title split over two reads is rewritten whole', async () => {
    await claude(init);
    await untilState(daemon, 'idle');
    child.tell({ write: Buffer.from(title('abc').slice(0, 6)).toString('base64') });
    child.tell({ write: Buffer.from(title('abc').slice(6)).toString('base64') });
    await child.when(
      () => out().endsWith(title('🟡 Opus · abc')),
      () => JSON.stringify(out()),
    );
  });

  it('D15: a sequence that never ends is passed on, in full and unchanged', async () => {
    await claude(init);
    await untilState(daemon, 'idle');
    await child.childWrites(`\u001b]0;${'x'.repeat(1_048_576)}`);
    expect(out()).toBe(`${init}\u001b]0;${'x'.repeat(1_048_576)}`);
  });

  it('D15: an unfinished sequence does not hold bytes back for long', async () => {
    await child.childWrites('\u001b]0;never finished');
    expect(out()).toBe('\u001b]0;never finished');
  });

  it('D14: a title that we write holds no control characters', async () => {
    await claude(init);
    await untilState(daemon, 'idle');
    child.tell({ write: Buffer.from(title('a\u0001b\u009bc\u202ed')).toString('base64') });
    await child.when(
      () => out().endsWith(title('🟡 Opus · abcd')),
      () => JSON.stringify(out()),
    );
  });

  it('a model that becomes known corrects an earlier title between two lines', async () => {
    await child.childWrites(title('claude'));
    child.tell({ write: Buffer.from(init).toString('base64') });
    await until(() => out().includes(title('🟡 Opus · claude')));
    expect(out().replace(title('🟡 Opus · claude'), '')).toBe(title('claude') + init);
  });
});
