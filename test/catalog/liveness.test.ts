import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinuxProcessTable } from '../../agents/system/process-table.ts';
import { AgentCommands } from '../../catalog/live/agent-commands.ts';
import { ClaudeProcesses } from '../../catalog/live/claude-processes.ts';
import { ABSENT, combine, running, UNKNOWN } from '../../catalog/live/liveness.ts';
import { RegistryWords } from '../../catalog/live/registry.ts';
import { until } from '../support/until.ts';
import { NOON, TestHome } from './support/homes.ts';

let home: TestHome;
const children: ChildProcess[] = [];
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  home.remove();
});

const only = async () => (await (await home.catalog()).find({ words: [] }, 1)).sessions[0];

/** A process table that knows this test's own process, on every platform. */
const TABLE = new LinuxProcessTable();
const TOKEN = '4711';
const table = (entry: { alive: boolean } | 'unknown') => ({
  ...TABLE,
  read: (pid: number) => {
    if (entry === 'unknown') return undefined;
    return entry.alive
      ? { pid, parent: 1, name: 'claude', token: TOKEN, zombie: false, terminal: true }
      : null;
  },
  argumentsOf: () => undefined,
  refresh: async () => {},
});

function liveness(
  record: object,
  entry: { alive: boolean } | 'unknown' = { alive: true },
  namespace = 'pid:[1]',
) {
  const fields = {
    pid: 77,
    sessionId: 's',
    startedAt: NOON - 5_000,
    procStart: TOKEN,
    status: 'busy',
    ...record,
  };
  home.write('.claude/sessions/77.json', JSON.stringify(fields));
  const folder = path.join(home.dir, '.claude/sessions');
  return new ClaudeProcesses(folder, table(entry), namespace, NOON).liveness('s');
}

describe('a live-process record', () => {
  it('of a process that lives and started when it says proves a running session', () => {
    expect(liveness({})).toEqual(
      running({ source: 'live-record', pid: 77, startedAt: '2026-11-30T11:59:55.000Z', state: 'working' }),
    );
  });

  it.each([
    ['of a dead process', {}, { alive: false }, 'absent'],
    ['of a process id that was given out again', { procStart: '4712' }, { alive: true }, 'absent'],
    ['of a process that cannot be looked at', {}, 'unknown', 'unknown'],
    ['of another container', { pidDomain: 'linux:m:pid:[2]' }, { alive: true }, 'unknown'],
    ['of this container', { pidDomain: 'linux:m:pid:[1]' }, { alive: true }, 'running'],
    ['of a pre-warmed worker', { spare: true }, { alive: true }, 'absent'],
    ['of another session', { sessionId: 't' }, { alive: true }, 'absent'],
  ] as const)('%s', (_what, record, entry, kind) => {
    expect(liveness(record, entry).kind).toBe(kind);
  });

  it('that is half written is no news', () => {
    home.write('.claude/sessions/77.json', '{"pid":77,"sess');
    home.write('.claude/sessions/78.key', 'secret');
    const folder = path.join(home.dir, '.claude/sessions');
    expect(new ClaudeProcesses(folder, table({ alive: true }), undefined, NOON).liveness('s')).toEqual(
      ABSENT,
    );
  });
});

describe('a session of Claude', () => {
  it('without a record can be resumed', async () => {
    home.claude();
    expect(await only()).toMatchObject({ state: 'resumable' });
  });

  it.runIf(process.platform === 'linux')('with a record of a process that lives is running', async () => {
    const id = home.claude();
    const stat = readFileSync('/proc/self/stat', 'latin1');
    home.write(
      `.claude/sessions/${process.pid}.json`,
      JSON.stringify({
        pid: process.pid,
        sessionId: id,
        startedAt: NOON,
        procStart: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19],
        pidDomain: `linux:m:${readlinkSync('/proc/self/ns/pid')}`,
        status: 'waiting',
        waitingFor: 'permission prompt',
      }),
    );
    expect(await only()).toMatchObject({
      state: 'running',
      runtime: { source: 'live-record', pid: process.pid, state: 'waiting_for_permission' },
    });
  });
});

describe('a session of Codex', () => {
  it('B16: is unknown while nothing shows either', async () => {
    home.codex();
    expect(await only()).toMatchObject({ state: 'unknown' });
    expect((await only())?.resume).toBeDefined();
  });

  it('whose lock is gone, or left behind by a kill, can be resumed', async () => {
    const id = home.codex();
    home.file('.codex/thread-writer-locks/x');
    expect(await only()).toMatchObject({ state: 'resumable' });
    home.write(`.codex/thread-writer-locks/${id}.lock`, '');
    expect(await only()).toMatchObject({ state: 'resumable' });
  });

  it.runIf(process.platform === 'linux')('whose lock is held is running', async () => {
    const id = home.codex();
    const lock = home.file(`.codex/thread-writer-locks/${id}.lock`);
    const holder = spawn('flock', ['--exclusive', '--no-fork', lock, 'sleep', '60']);
    children.push(holder);
    await until(async () => (await only())?.state === 'running');
    expect(await only()).toMatchObject({ runtime: { source: 'thread-lock', pid: holder.pid } });
  });

  it('that a codex process names on its command line is running', () => {
    const commands = new AgentCommands('codex', [
      { pid: 1, args: ['/sbin/init'] },
      { pid: 5, args: ['/opt/bin/codex', 'resume', 'abc'] },
      { pid: 6, args: ['vim', 'xyz'] },
      { pid: 7, args: ['node', '/usr/bin/codex.js', 'fork', 'def'] },
    ]);
    expect(commands.liveness('abc')).toEqual(running({ source: 'process', pid: 5 }));
    expect(commands.liveness('def')).toEqual(running({ source: 'process', pid: 7 }));
    expect(commands.liveness('xyz')).toEqual(UNKNOWN);
    expect(commands.none).toBe(false);
  });
});

describe('a session of pi', () => {
  it('can be resumed where no pi runs at all, and is unknown where one does', () => {
    expect(new AgentCommands('pi', [{ pid: 1, args: ['/sbin/init'] }]).none).toBe(true);
    expect(new AgentCommands('pi', [{ pid: 9, args: ['pi'] }]).none).toBe(false);
    expect(new AgentCommands('pi', undefined).none).toBe(false);
  });
});

describe('the registry', () => {
  const serve = async (sessions: object[]): Promise<RegistryWords> => {
    const socket = home.file('daemon.sock');
    const server = net.createServer((connection) => {
      connection.once('data', () =>
        connection.end(`${JSON.stringify({ ok: true, payload: { sessions } })}\n`),
      );
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      return await RegistryWords.ask(socket);
    } finally {
      server.close();
    }
  };

  it('proves what an exact feed says, doubts what is inferred, knows nothing of the rest', async () => {
    const words = await serve([
      { session_id: 'exact', state: 'idle', feed: 'pi_extension' },
      { session_id: 'stale', state: 'idle', feed: 'pi_extension', stale: true },
      { session_id: 'hooked', state: 'working', feed: 'hook' },
      { session_id: 'peer', state: 'working' },
      { session_id: 'over', state: 'ended', feed: 'pi_extension' },
      { session_id: 'odd', state: 'dancing', feed: 'pi_extension' },
      null,
    ] as object[]);
    expect(words.liveness('exact')).toEqual(running({ source: 'registry', state: 'idle' }));
    expect(['stale', 'hooked', 'peer'].map((id) => words.liveness(id).kind)).toEqual(
      Array(3).fill('unknown'),
    );
    expect(['over', 'odd', 'nobody'].map((id) => words.liveness(id).kind)).toEqual(Array(3).fill('absent'));
  });

  it('B12: is optional', async () => {
    const words = await RegistryWords.ask(path.join(home.dir, 'nobody.sock'));
    expect(words.liveness('a')).toEqual(ABSENT);
  });
});

describe('several words on one session', () => {
  it('a proof of running wins, then doubt', () => {
    const proof = running({ source: 'registry' });
    expect(combine(ABSENT, proof, UNKNOWN)).toBe(proof);
    expect(combine(ABSENT, UNKNOWN)).toBe(UNKNOWN);
    expect(combine(ABSENT, ABSENT)).toBe(ABSENT);
    expect(combine()).toBe(UNKNOWN);
  });
});
