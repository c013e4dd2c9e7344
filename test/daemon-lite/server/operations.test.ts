import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Log } from '../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../daemon-lite/diagnostics/log-filter.ts';
import { until } from '../../support/until.ts';
import { ask, LineClient, list, observe } from '../support/line-client.ts';
import { LocalDaemon } from '../support/local-daemon.ts';

const ID = '0f8b0b4e-1111-4222-8333-444455556666';

let records: string[];
let daemon: LocalDaemon;
beforeEach(async () => {
  records = [];
  daemon = await LocalDaemon.start({}, new Log(parseLogFilter('trace'), (line) => records.push(line)));
});
afterEach(() => daemon.remove());

function sessions(op: string, payload: object): Promise<Record<string, unknown>> {
  return ask(daemon.socket, { service: 'sessions', op, payload });
}

describe('ping and status', () => {
  it('say which implementation answers, what it can do and which process it is', async () => {
    expect(await ask(daemon.socket, { op: 'ping' })).toEqual({
      ok: true,
      payload: {
        pong: true,
        version: expect.any(String),
        implementation: 'omni-dev-node',
        capabilities: expect.arrayContaining(['sessions', 'subscribe', 'why']),
        pid: process.pid,
      },
    });
  });

  it('sum the sessions up', async () => {
    await observe(daemon.socket, { session_id: ID, event: 'user_prompt_submit' });
    const { payload } = await ask(daemon.socket, { op: 'status' });
    expect(payload).toMatchObject({
      services: [{ name: 'sessions', healthy: true, summary: '1 session(s): 1 working, 0 waiting, 0 idle' }],
      implementation: 'omni-dev-node',
    });
  });
});

describe('observe', () => {
  it('names the repository around the cwd', async () => {
    const top = daemon.home.path('proj');
    for (const folder of ['.git/objects', '.git/refs', 'deep/er'])
      mkdirSync(daemon.home.path('proj', folder), { recursive: true });
    writeFileSync(daemon.home.path('proj', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    await observe(daemon.socket, { session_id: ID, event: 'stop', cwd: `${top}/deep/er` });
    expect(await list(daemon.socket)).toMatchObject([{ session_id: ID, repo: 'proj' }]);
  });

  it('takes null for an optional key as absent', async () => {
    await observe(daemon.socket, { session_id: ID, event: 'stop', cwd: null, agent: null, pid: null });
    expect((await list(daemon.socket))[0]).not.toHaveProperty('cwd');
  });

  it('refuses values of the contract that nobody knows, and drops additive ones', async () => {
    const refused = await sessions('observe', { session_id: ID, event: 'stop', agent: 'other' });
    expect(refused).toEqual({ ok: false, error: 'invalid `observe` payload: `agent` is unknown' });
    await observe(daemon.socket, { session_id: ID, event: 'stop', feed: 'of the future', background: 5 });
    expect(await list(daemon.socket)).toHaveLength(1);
    const warnings = records.filter((line) => line.includes(' WARN '));
    expect(warnings).toEqual([expect.stringContaining('omni_dev::daemon::server: request_rejected')]);
  });
});

describe('why', () => {
  it('explains the one session whose id starts so', async () => {
    await observe(daemon.socket, { session_id: ID, event: { stream_state: 'working' } });
    const { payload } = await sessions('why', { id: ID.slice(0, 6) });
    expect(payload).toMatchObject({ session_id: ID, state: 'working', decided_by: 'claude_stream' });
  });

  it('names the candidates when several do', async () => {
    for (const id of ['abc-1', 'abc-2']) await observe(daemon.socket, { session_id: id, event: 'stop' });
    expect(await sessions('why', { id: 'abc' })).toEqual({
      ok: false,
      error: 'several sessions match `abc`: abc-1, abc-2',
    });
  });

  it('is an error for an id that nobody has, or none', async () => {
    expect(await sessions('why', { id: 'x' })).toEqual({ ok: false, error: 'no session matches `x`' });
    expect(await sessions('why', {})).toEqual({ ok: false, error: '`why` requires a non-empty `id`' });
  });
});

describe('focus-folder', () => {
  it('is the first folder of the window that the session is in', async () => {
    await observe(daemon.socket, { session_id: ID, event: 'stop', cwd: '/w/b/sub' });
    await sessions('window', { key: 'w1', folders: ['/w/a', '/w/b'], tabs: 1 });
    const { payload } = await sessions('focus-folder', { session_id: ID });
    expect(payload).toEqual({ folder: '/w/a' });
  });

  it('is null for a session in a terminal', async () => {
    await observe(daemon.socket, { session_id: ID, event: 'stop', cwd: '/w/b/sub' });
    expect((await sessions('focus-folder', { session_id: ID })).payload).toEqual({ folder: null });
  });
});

describe('diagnostics follow a sighting from the socket to the subscriber', () => {
  it('without any content', async () => {
    const client = await LineClient.connect(daemon.socket);
    client.send('{"service":"sessions","op":"subscribe"}');
    await client.line();
    await observe(daemon.socket, { session_id: ID, event: 'user_prompt_submit', prompt: 'secret', pid: 7 });
    await client.line();
    await observe(daemon.socket, { session_id: ID, event: 'user_prompt_submit', prompt: 'secret', pid: 7 });
    client.send('');
    await client.closed();
    await until(() => records.some((line) => line.includes('subscription_ended')));
    const story = records.filter((line) => /session_observed|subscription_/.test(line)).join('');
    expect(story).toMatch(/session_observed .*outcome=created .*bumped=true/);
    expect(story).toMatch(/subscription_sample trigger=change_notification result=pushed/);
    expect(story).toMatch(/session_observed .*outcome=heartbeat_only .*bumped=false/);
    expect(story).toMatch(/subscription_ended reason=ClientCancel/);
    expect(records.join('')).not.toContain('secret');
  });
});
