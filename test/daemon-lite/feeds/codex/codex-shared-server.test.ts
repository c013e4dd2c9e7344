import { chmodSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodexSharedServer } from '../../../../daemon-lite/feeds/codex-shared-server.ts';
import { CodexBench, THREAD } from './codex-bench.ts';
import { ListeningServer } from './listening-server.ts';

const ACTIVE = { type: 'active', activeFlags: [] };
const APPROVAL = { type: 'active', activeFlags: ['waitingOnApproval'] };
const KID = '01a22c03-a982-7691-ba3e-a79f9cb47d38';

let bench: CodexBench;
let server: ListeningServer;
let guest: CodexSharedServer;
let allowed: boolean;

beforeEach(() => {
  bench = new CodexBench();
  allowed = true;
  server = new ListeningServer(bench.codexHome, [
    { id: THREAD, status: ACTIVE, cwd: '/p', model: 'gpt-6.2-sol' },
  ]);
  const { codexHome, ingest, registry, clock, log } = bench;
  const uid = process.getuid?.() ?? 0;
  guest = new CodexSharedServer({
    codexHome,
    uid,
    ingest,
    registry,
    clock,
    log,
    allowed: () => allowed,
    random: () => 0,
  });
});
afterEach(async () => {
  await guest.stop();
  await server.die();
  bench.close();
});

/** Lets the guest look once a second until the condition holds. */
function lookUntil(condition: () => void): Promise<void> {
  return vi.waitFor(
    () => {
      bench.later += 1_000;
      guest.look(bench.reading);
      condition();
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe('the guest on the shared server', () => {
  it('shows what the server says of its sessions', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    await lookUntil(() => expect(bench.state()).toBe('working'));
    expect(bench.row()).toMatchObject({
      agent: 'codex',
      feed: 'codex_server',
      cwd: '/p',
      model: 'gpt-6.2-sol',
    });
    server.newest?.pushStatus(THREAD, APPROVAL);
    await vi.waitFor(() => expect(bench.state()).toBe('waiting_for_permission'));
    server.newest?.pushStatus(THREAD, { type: 'systemError' });
    await vi.waitFor(() => expect(bench.state()).toBe('idle failed'));
    server.newest?.pushStatus(THREAD, { type: 'notLoaded' });
    await vi.waitFor(() => expect(bench.state()).toBe('ended'));
  });

  it('comes under its own name, answers nothing, and leaves subagents', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    await lookUntil(() => expect(bench.state()).toBe('working'));
    const fake = server.newest;
    expect(fake?.received[0]).toMatchObject({
      method: 'initialize',
      params: { clientInfo: { name: 'omni-dev' } },
    });
    fake?.add({ id: KID, sessionId: THREAD, parentThreadId: THREAD, status: APPROVAL });
    fake?.pushStatus(KID, APPROVAL);
    fake?.send({ id: 0, method: 'item/commandExecution/requestApproval', params: { threadId: KID } });
    await vi.waitFor(() => expect(bench.state()).toBe('waiting_for_permission'));
    await sleep(100);
    const methods = new Set(fake?.methods());
    expect([...methods].sort()).toEqual([
      'initialize',
      'thread/loaded/list',
      'thread/read',
      'thread/unsubscribe',
    ]);
  });

  it('does not come before the server has a thread, so that it never names it', async () => {
    await server.listen();
    for (let looks = 0; looks < 5; looks += 1) {
      bench.later += 1_000;
      guest.look(bench.reading);
    }
    // Another server of this home, or an exec, holds this one.
    bench.lock(THREAD, 'held', { holder: 777 });
    bench.lock(KID, 'free', { holder: undefined });
    bench.later += 1_000;
    guest.look(bench.reading);
    await sleep(100);
    expect(server.connections).toEqual([]);
    bench.lock(THREAD, 'held', { holder: 4242 });
    await lookUntil(() => expect(server.connections).toHaveLength(1));
  });

  it('goes by the age of the lock where holders cannot be told', async () => {
    bench.lock(THREAD, 'held', { holder: undefined, madeAt: Date.now() - 60_000 });
    await server.listen();
    bench.later += 1_000;
    guest.look(bench.reading);
    await sleep(100);
    expect(server.connections).toEqual([]);
    bench.lock(THREAD, 'held', { holder: undefined, madeAt: Date.now() + 1_000 });
    await lookUntil(() => expect(bench.state()).toBe('working'));
  });

  it('E10: lets the rows go stale when the server is gone, and is back with the next one', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    await lookUntil(() => expect(bench.state()).toBe('working'));
    expect(bench.row()?.stale).toBeUndefined();
    await server.die();
    await vi.waitFor(() => expect(bench.row()).toMatchObject({ state: 'working', stale: true }));
    // The link that a killed server leaves leads nowhere.
    for (let looks = 0; looks < 30; looks += 1) {
      bench.later += 1_000;
      guest.look(bench.reading);
    }
    expect(server.connections).toHaveLength(1);
    await server.listen();
    await lookUntil(() => expect(bench.row()).toMatchObject({ state: 'working' }));
    await vi.waitFor(() => expect(bench.row()?.stale).toBeUndefined());
    expect(server.connections).toHaveLength(2);
  });

  it('shows the layer below while it is not attached', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    bench.registry.observe({ session_id: THREAD, agent: 'codex', event: 'stop', feed: 'hook' });
    await lookUntil(() => expect(bench.state()).toBe('working'));
    await server.die();
    await vi.waitFor(() => expect(bench.row()).toMatchObject({ state: 'idle', feed: 'hook' }));
  });

  it('ends what a new server does not have', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    await lookUntil(() => expect(bench.state()).toBe('working'));
    await server.die();
    const next = new ListeningServer(bench.codexHome, [{ id: KID }]);
    await next.listen();
    bench.lock(KID, 'held');
    await lookUntil(() => expect(bench.state()).toBe('ended'));
    expect(bench.state(KID)).toBe('idle');
    await guest.stop();
    await next.die();
  });

  it('stays away, and goes, when the user does not want it', async () => {
    await server.listen();
    bench.lock(THREAD, 'held');
    allowed = false;
    bench.later += 1_000;
    guest.look(bench.reading);
    await sleep(100);
    expect(server.connections).toEqual([]);
    allowed = true;
    await lookUntil(() => expect(bench.state()).toBe('working'));
    allowed = false;
    guest.look(bench.reading);
    await vi.waitFor(() => expect(bench.row()?.stale).toBe(true));
    expect(guest.detail()).toMatchObject({ attached: false });
  });

  it('does not connect where somebody else could have put the socket', async () => {
    await server.listen();
    chmodSync(path.join(bench.codexHome, 'daemon-sockets'), 0o777);
    bench.lock(THREAD, 'held');
    for (let looks = 0; looks < 3; looks += 1) {
      bench.later += 1_000;
      guest.look(bench.reading);
    }
    await sleep(100);
    expect(server.connections).toEqual([]);
    expect(guest.detail()).toMatchObject({ problem: expect.stringContaining('can be written by others') });
    expect(bench.lines.filter((line) => line.includes('codex_socket_refused'))).toHaveLength(1);
  });
});
