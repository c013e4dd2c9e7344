import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndPayload, ObservePayload } from '../../../contract/messages.ts';
import { KEEP_ALIVE_MS, Observer, type ObserverOptions } from '../../../wrappers/claude/observer.ts';
import { asks, init, prompt, result, says, sessionId, stateLine } from './support/stream-lines.ts';

type Sent = { observe: ObservePayload } | { end: EndPayload };

let sent: Sent[];

function watching(options: Partial<ObserverOptions> = {}) {
  const reporter = {
    observe: (payload: ObservePayload) => sent.push({ observe: payload }),
    end: (payload: EndPayload) => sent.push({ end: payload }),
    close: async () => {},
  };
  const observer = new Observer({ reporter, agentPid: (named) => named ?? 77, ...options });
  const out = observer.reader('from_claude');
  const into = observer.reader('to_claude');
  return {
    observer,
    claude: async (...lines: string[]) => pass(out, lines),
    host: async (...lines: string[]) => pass(into, lines),
  };
}

async function pass(read: (chunk: Buffer) => void, lines: string[]): Promise<void> {
  read(Buffer.from(lines.join('')));
  await vi.advanceTimersByTimeAsync(1);
}

const states = () =>
  sent.flatMap((report) =>
    'observe' in report ? [(report.observe.event as { stream_state: string }).stream_state] : [],
  );

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});

afterEach(() => vi.useRealTimers());

describe('an observer', () => {
  it('reports who, what, where, with which model, and that it is the exact feed', async () => {
    const { claude } = watching({ pidNamespace: 'pid:[1]' });
    await claude(init);
    expect(sent).toEqual([
      {
        observe: {
          session_id: sessionId,
          event: { stream_state: 'idle' },
          cwd: '/w',
          model: 'claude-opus-5',
          pid: 77,
          feed: 'claude_stream',
          pid_ns: 'pid:[1]',
        },
      },
    ]);
  });

  it('reports nothing of what was said', async () => {
    const { claude, host, observer } = watching();
    await host('{"type":"user","message":{"content":"secret words"}}\n');
    await claude(init, says('secret words'), asks('r', 'secret words'), result({ result: 'secret words' }));
    await observer.finish();
    expect(sent.length).toBeGreaterThan(2);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  it('repeats a busy state each 30 s and an idle one never', async () => {
    const { claude } = watching();
    await claude(stateLine('running'));
    await vi.advanceTimersByTimeAsync(2 * KEEP_ALIVE_MS);
    expect(states()).toEqual(['working', 'working', 'working']);
    await claude(stateLine('idle'));
    await vi.advanceTimersByTimeAsync(4 * KEEP_ALIVE_MS);
    expect(states().slice(3)).toEqual(['idle']);
  });

  it('reports the end of each id once', async () => {
    const { claude, observer } = watching();
    await claude(init, '{"type":"conversation_reset","session_id":"x"}\n');
    await claude('{"type":"system","subtype":"init","session_id":"next"}\n');
    await observer.finish();
    const ends = sent.flatMap((report) => ('end' in report ? [report.end.session_id] : []));
    expect(ends).toEqual([sessionId, 'next']);
  });

  it('reports no end where no session was ever seen', async () => {
    const { claude, observer } = watching();
    await claude('{"type":"assistant"}\n');
    await observer.finish();
    expect(sent).toEqual([]);
  });

  it("takes Claude's own pid over its child's", async () => {
    const { claude, host } = watching();
    await host('{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}\n');
    await claude('{"type":"control_response","response":{"request_id":"i","response":{"pid":4242}}}\n', init);
    expect(sent[0]).toMatchObject({ observe: { pid: 4242 } });
  });

  it('names the model to whom it may concern, when it changes', async () => {
    const models: string[] = [];
    const { claude, host } = watching({ onModel: (model) => models.push(model) });
    await claude(init, stateLine('running'), init);
    await host(
      '{"type":"control_request","request_id":"m","request":{"subtype":"set_model","model":"m-2"}}\n',
    );
    expect(models).toEqual(['claude-opus-5', 'm-2']);
  });

  it('sees the result behind a flood of messages that it does not read', async () => {
    const { claude, host } = watching();
    await host(prompt);
    await claude(init, says('x').repeat(5_000), result());
    expect(states()).toEqual(['working', 'idle']);
  });

  it('counts text that is no protocol without a loss of state', async () => {
    const { claude } = watching();
    await claude(stateLine('running'), 'plain text\n'.repeat(1_000), result());
    expect(states()).toEqual(['working']);
  });
});
