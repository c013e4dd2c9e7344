import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ThreadObserver, type ThreadObserverOptions } from '../../../agents/codex/thread-observer.ts';
import type { SessionReading } from '../../../agents/codex/thread-tracker.ts';
import { FakeAppServer } from './fake-app-server.ts';

const ACTIVE = { type: 'active', activeFlags: [] };
const APPROVAL = { type: 'active', activeFlags: ['waitingOnApproval'] };
const CHILD_SOURCE = { subAgent: { thread_spawn: { parent_thread_id: 'root' } } };

const observers: ThreadObserver[] = [];
afterEach(() => {
  for (const observer of observers.splice(0)) observer.close();
});

interface Watched {
  server: FakeAppServer;
  observer: ThreadObserver;
  /** What was told, as words. */
  told: string[];
  readings: SessionReading[];
}

function watch(server: FakeAppServer, options: Partial<ThreadObserverOptions> = {}): Watched {
  const told: string[] = [];
  const readings: SessionReading[] = [];
  const observer = new ThreadObserver({
    transport: server.transport,
    client: { name: 'codex-tui', version: '0.171.0' },
    passMs: 20,
    readTurn: async () => undefined,
    handlers: {
      state: (reading) => {
        readings.push(reading);
        told.push([reading.sessionId, reading.state, reading.outcome].filter(Boolean).join(' '));
      },
      ended: (sessionId) => told.push(`${sessionId} ended`),
      lost: () => told.push('lost'),
    },
    ...options,
  });
  observers.push(observer);
  return { server, observer, told, readings };
}

function serverWith(...threads: Parameters<FakeAppServer['add']>[0][]): FakeAppServer {
  const server = new FakeAppServer();
  for (const thread of threads) server.add(thread);
  return server;
}

describe('a thread observer', () => {
  it('says who it is, opts out of what it does not need, and reads every loaded thread', async () => {
    const { server, observer, told } = watch(serverWith({ id: 'a' }, { id: 'b', status: ACTIVE }));
    expect(await observer.start()).toEqual({ serverVersion: '0.171.0' });

    expect(server.received[0]).toMatchObject({
      method: 'initialize',
      params: {
        clientInfo: { name: 'codex-tui', title: null, version: '0.171.0' },
        capabilities: { optOutNotificationMethods: expect.arrayContaining(['item/agentMessage/delta']) },
      },
    });
    expect(server.received.every((message) => !('jsonrpc' in message))).toBe(true);
    await vi.waitFor(() => expect(told).toEqual(['a idle', 'b working']));
  });

  it('follows the pages of the loaded list', async () => {
    const server = serverWith({ id: 'a' }, { id: 'b' }, { id: 'c' });
    server.pageSize = 2;
    const { observer } = watch(server);
    await observer.start();
    expect(observer.sessionIds()).toEqual(['a', 'b', 'c']);
  });

  it('tells a push at once, without a read', async () => {
    const { server, observer, told } = watch(serverWith({ id: 'a' }), { passMs: 60_000 });
    await observer.start();
    server.pushStatus('a', APPROVAL);
    await vi.waitFor(() => expect(told).toEqual(['a idle', 'a waiting_for_permission']));
  });

  it('sees the states of a server that does not push', async () => {
    const { server, observer, told } = watch(serverWith({ id: 'a' }));
    server.version = '0.155.1';
    await observer.start();
    server.setStatus('a', ACTIVE);
    await vi.waitFor(() => expect(told).toEqual(['a idle', 'a working']));
    server.threads.delete('a');
    await vi.waitFor(() => expect(told.at(-1)).toBe('a ended'));
  });

  it('asks what a thread is when only its status was pushed', async () => {
    const { server, observer, told } = watch(serverWith(), { passMs: 60_000 });
    await observer.start();
    server.add({ id: 'resumed', status: ACTIVE });
    server.pushStatus('resumed', ACTIVE);
    await vi.waitFor(() => expect(told).toEqual(['resumed working']));
  });

  it('takes a thread that cannot be read for no news, and tries again', async () => {
    const server = serverWith({ id: 'a', status: ACTIVE });
    server.unreadable.add('a');
    const { observer, told } = watch(server, { known: ['a'] });
    await observer.start();
    expect(told).toEqual([]);
    server.unreadable.clear();
    await vi.waitFor(() => expect(told).toEqual(['a working']));
  });

  it('drops every request of the server unanswered, known or unknown', async () => {
    const { server, observer } = watch(serverWith({ id: 'root' }), { passMs: 60_000 });
    await observer.start();
    const before = server.received.length;
    server.send({ id: 0, method: 'item/commandExecution/requestApproval', params: { threadId: 'kid' } });
    server.send({ id: 'x', method: 'no/such/request', params: null });
    server.send({ jsonrpc: '2.0', id: 1, method: 'attestation/generate' });
    await delay(50);
    // Whoever is sent a request about a thread is attached to that thread, so it leaves.
    expect(server.methods().slice(before)).toEqual(['thread/unsubscribe']);
  });

  it('leaves each subagent thread once, and again after it was loaded anew', async () => {
    const child = {
      id: 'kid',
      sessionId: 'root',
      parentThreadId: 'root',
      source: CHILD_SOURCE,
      status: APPROVAL,
    };
    const { server, observer, told } = watch(serverWith({ id: 'root', status: ACTIVE }, child));
    const leaves = () => server.received.filter(({ method }) => method === 'thread/unsubscribe').length;
    await observer.start();
    await vi.waitFor(() => expect(told.at(-1)).toBe('root waiting_for_permission'));
    await delay(100);
    expect(leaves()).toBe(1);
    server.threads.delete('kid');
    await vi.waitFor(() => expect(told.at(-1)).toBe('root working'));
    server.add(child);
    await vi.waitFor(() => expect(leaves()).toBe(2));
  });

  it('sends nothing but the four requests of an observer', async () => {
    const { server, observer } = watch(serverWith({ id: 'a' }));
    await observer.start();
    server.send('not json');
    server.send([{ id: 1, method: 'x' }]);
    server.send({ method: '$/progress', params: {} });
    server.send({ id: 99, result: {} });
    server.send({ method: 'thread/started', params: null });
    await delay(100);
    const methods = new Set(server.methods());
    expect([...methods].sort()).toEqual(['initialize', 'thread/loaded/list', 'thread/read']);
  });

  it.each([
    ['is known to push', '0.171.0', ACTIVE],
    ['has shown that it pushes', '0.155.1', APPROVAL],
  ])('reads idle threads seldom when the server %s', async (_, version, status) => {
    const server = serverWith({ id: 'a' }, { id: 'b', status: ACTIVE });
    server.version = version;
    const { observer } = watch(server);
    await observer.start();
    if (status !== ACTIVE) server.pushStatus('b', status);
    server.received.length = 0;
    const reads = (id: string) =>
      server.received.filter(({ method, params }) => method === 'thread/read' && params?.threadId === id)
        .length;
    await vi.waitFor(() => expect(reads('b')).toBeGreaterThanOrEqual(15), 5_000);
    expect(reads('a')).toBeGreaterThanOrEqual(1);
    expect(reads('a')).toBeLessThan(reads('b') / 3);
  });

  it('asks a server that pushes seldom while nothing runs, and at its pace again when something does', async () => {
    const server = serverWith({ id: 'a' });
    const { observer } = watch(server, { passMs: 40 });
    await observer.start();
    const lists = () => server.received.filter(({ method }) => method === 'thread/loaded/list').length;
    await delay(600);
    expect(lists()).toBeLessThan(7);
    server.pushStatus('a', ACTIVE);
    const before = lists();
    await vi.waitFor(() => expect(lists() - before).toBeGreaterThan(4), { timeout: 5_000 });
  });

  it('says every state again before anybody could think it is gone', async () => {
    const { observer, told } = watch(serverWith({ id: 'a' }), { repeatMs: 30 });
    await observer.start();
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(3));
    expect(new Set(told)).toEqual(new Set(['a idle']));
  });

  it('says work and waits again every few seconds: a daemon that was restarted is soon right', async () => {
    const { observer, told } = watch(serverWith({ id: 'a', status: APPROVAL }));
    await observer.start();
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(1), { timeout: 10_000, interval: 50 });
    expect(new Set(told)).toEqual(new Set(['a waiting_for_permission']));
  });

  describe('at the end of a turn', () => {
    it.each(['done', 'interrupted', 'failed'] as const)('tells idle together with %s', async (outcome) => {
      const server = serverWith({ id: 'a', status: ACTIVE, path: '/rollout' });
      const { observer, told } = watch(server, {
        readTurn: async () => ({ standing: outcome, at: undefined }),
      });
      await observer.start();
      server.pushStatus('a', { type: 'idle' });
      await vi.waitFor(() => expect(told).toEqual(['a working', `a idle ${outcome}`]));
    });

    it('does not wait for a file system that hangs', async () => {
      const server = serverWith({ id: 'a', status: ACTIVE, path: '/rollout' });
      const { observer, told } = watch(server, { readTurn: () => new Promise(() => {}) });
      await observer.start();
      server.pushStatus('a', { type: 'idle' });
      await vi.waitFor(() => expect(told).toEqual(['a working', 'a idle']));
    });

    it('tells an idle that a new turn overtook, in order', async () => {
      const server = serverWith({ id: 'a', status: ACTIVE, path: '/rollout' });
      const { observer, told } = watch(server, {
        readTurn: () => delay(40, { standing: 'done' as const, at: undefined }),
      });
      await observer.start();
      server.pushStatus('a', { type: 'idle' });
      server.pushStatus('a', ACTIVE);
      await delay(100);
      expect(told).toEqual(['a working', 'a idle', 'a working']);
    });

    it('tells a thread without a rollout idle, without an outcome', async () => {
      const { observer, told } = watch(serverWith({ id: 'a', path: '/not/there' }));
      await observer.start();
      await vi.waitFor(() => expect(told).toEqual(['a idle']));
    });
  });

  describe('when the connection ends', () => {
    it('says so once, and nothing afterwards', async () => {
      const { server, observer, told } = watch(serverWith({ id: 'a', status: ACTIVE }));
      await observer.start();
      server.hangUp();
      await delay(60);
      expect(told).toEqual(['a working', 'lost']);
    });

    it('fails to start instead, when it had not started', async () => {
      const server = serverWith();
      server.mute.add('initialize');
      const { observer, told } = watch(server);
      const starting = observer.start();
      server.hangUp();
      await expect(starting).rejects.toThrow();
      expect(told).toEqual([]);
    });

    it('says nothing when it hung up itself', async () => {
      const { observer, told } = watch(serverWith({ id: 'a', status: ACTIVE }));
      await observer.start();
      observer.close();
      await delay(60);
      expect(told).toEqual(['a working']);
    });

    it('ends, over a new connection, what the server no longer has', async () => {
      const { observer, told } = watch(serverWith({ id: 'b', status: ACTIVE }), { known: ['a', 'b'] });
      await observer.start();
      expect(told.sort()).toEqual(['a ended', 'b working']);
    });

    it('gives up a server that does not answer any more', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const server = serverWith({ id: 'a', status: ACTIVE });
        const { observer, told } = watch(server);
        const starting = observer.start();
        await vi.waitFor(() => expect(told).toEqual(['a working']));
        await starting;
        server.mute.add('thread/loaded/list');
        await vi.advanceTimersByTimeAsync(11_000);
        expect(told).toEqual(['a working', 'lost']);
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
