import { describe, expect, it } from 'vitest';
import type { WhyPayload } from '../../contract/why.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { runCommand } from './support/run-cli.ts';

const WHY: WhyPayload = {
  session_id: '129a4de8-4972',
  state: 'waiting_for_permission',
  decided_by: 'claude_stream',
  rule: 'the highest attached feed decides',
  pid: 77,
  replaced_pids: [12, 13],
  prompted: true,
  subagent_waits: [{ agent_id: 'a\u001b[31m1', state: 'waiting_for_input' }],
  ttl_left_s: 250.5,
  readings: [
    {
      feed: 'claude_stream',
      rank: 3,
      state: 'waiting_for_permission',
      last_event: { stream_state: 'waiting_for_permission' },
      age_s: 4,
      pid: 77,
      attached: true,
      decides: true,
      rule: 'the highest attached feed decides',
    },
    {
      feed: 'hook',
      rank: 1,
      state: 'working',
      last_event: 'pre_tool_use',
      age_s: 61,
      attached: true,
      decides: false,
      rule: 'underneath a feed of higher rank',
    },
  ],
};

async function why(reply: Record<string, unknown>, ...argv: string[]) {
  const daemon = await new FakeDaemon(() => reply).listen();
  try {
    const result = await runCommand(['sessions', 'why', ...argv, '--socket', daemon.socket]);
    return { ...result, requests: daemon.requests };
  } finally {
    await daemon.close();
  }
}

describe('sessions why', () => {
  it('shows what decides, and the last word of every feed with its age and rule', async () => {
    const { stdout, requests, exitCode } = await why({ ok: true, payload: WHY }, '129a');
    expect(requests).toEqual([{ service: 'sessions', op: 'why', payload: { id: '129a' } }]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'session   129a4de8-4972',
      'state     waiting-perm, decided by claude_stream: the highest attached feed decides',
      'process   pid 77, took over from 12, 13, has been prompted',
      'subagent  a[31m1 waiting-input',
      'expires   in 4m10s unless it is heard of again',
      '',
      '  RANK FEED            STATE         AGE    LAST EVENT                           WHY',
      '→ 3    claude_stream   waiting-perm  4s     stream_state: waiting_for_permission the highest attached feed decides (pid 77)',
      '  1    hook            working       1m01s  pre_tool_use                         underneath a feed of higher rank',
      '',
    ]);
  });

  it('prints the payload with -o json', async () => {
    expect(JSON.parse((await why({ ok: true, payload: WHY }, '129a', '-o', 'json')).stdout)).toEqual(WHY);
  });

  it('fails when no session or several match, or the daemon knows no layers', async () => {
    expect(await why({ ok: false, error: 'no session matches `x`' }, 'x')).toMatchObject({
      exitCode: 1,
      stderr: 'omni-dev: daemon returned an error: no session matches `x`\n',
    });
    expect((await why({ ok: true, payload: {} }, 'x')).exitCode).toBe(1);
    expect((await why({ ok: true, payload: WHY })).exitCode).toBe(2);
  });
});
