import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../contract/messages.ts';
import { endsWithin, PI_RELEASES, PiLab, type PiRpc, typeLine } from '../../lab/pi-lab.ts';
import { until } from '../../support/until.ts';

const RUN = 'working idle(done)';
/** The pid watcher judges only processes that it has seen alive, and it looks every 10 s. */
const WATCHED_AFTER_MS = 12_000;
/** Half a dozen agents may run on two cores at the same time. */
const PATIENCE_MS = 90_000;
const BY_NAME = PI_RELEASES.map((release) => [release.about, release] as const);

describe.each(BY_NAME)('%s with the installed extension', (_name, release) => {
  let lab: PiLab;

  beforeEach(() => {
    lab = new PiLab(release);
  });

  afterEach(() => lab.stop());

  const rows = (): SessionEntry[] =>
    [...lab.recorder.rows.values()].flatMap((seen) => seen.at(-1)?.entry ?? []);

  async function startRpc(args: string[] = []): Promise<PiRpc> {
    await lab.start({ daemon: true });
    const rpc = lab.rpc(args);
    await lab.expectStates(['idle']);
    return rpc;
  }

  it('tells of a prompt, and who and where it is', async () => {
    const rpc = await startRpc();
    rpc.prompt('hello');
    await lab.expectStates([`idle ${RUN}`]);
    const [row] = rows();
    expect(row).toMatchObject({ agent: 'pi', feed: 'pi_extension', cwd: lab.project, model: 'mock-1' });
    expect(row?.transcript_path).toContain(`_${row?.session_id}.jsonl`);
    rpc.child.stdin?.end();
    await lab.expectStates([`idle ${RUN} ended`]);
    expect(await endsWithin(rpc.child, PATIENCE_MS)).toBe(true);
  });

  it('stays working through a tool call', async () => {
    const rpc = await startRpc();
    rpc.prompt('use-tool');
    await lab.expectStates([`idle ${RUN}`]);
  });

  it('waits for an answer while a tool asks, where pi says so', async () => {
    const rpc = await startRpc();
    rpc.prompt('ask-tool');
    await until(() => rpc.lines.some(({ type }) => type === 'extension_ui_request'), undefined, PATIENCE_MS);
    if (release.settles) await lab.expectStates(['idle working waiting_for_input']);
    const { id } = rpc.lines.find(({ type }) => type === 'extension_ui_request') ?? {};
    rpc.send({ type: 'extension_ui_response', id, value: 'yes' });
    await lab.expectStates([release.settles ? `idle working waiting_for_input ${RUN}` : `idle ${RUN}`]);
  });

  it('ends one session and starts another with /new', async () => {
    const rpc = await startRpc();
    rpc.prompt('hello');
    await lab.expectStates([`idle ${RUN}`]);
    rpc.send({ type: 'new_session' });
    await lab.expectStates([`idle ${RUN} ended`, 'idle']);
    rpc.prompt('hello again');
    await lab.expectStates([`idle ${RUN} ended`, `idle ${RUN}`]);
  });

  it('is idle and interrupted after an abort', async () => {
    const rpc = await startRpc();
    rpc.prompt('slow');
    await lab.expectStates(['idle working']);
    rpc.send({ type: 'abort' });
    await lab.expectStates(['idle working idle(interrupted)']);
  });

  it('stays working through retries and says when a turn failed', async () => {
    const rpc = await startRpc();
    rpc.prompt('overload');
    await lab.expectStates([`idle ${RUN}`]);
    rpc.prompt('fail');
    await lab.expectStates([`idle ${RUN} working idle(failed)`]);
  });

  it('ends at SIGTERM in the middle of a tool', async () => {
    const rpc = await startRpc();
    rpc.prompt('sleep-tool');
    await lab.expectStates(['idle working']);
    await until(() => rpc.lines.some(({ type }) => type === 'tool_execution_start'), undefined, PATIENCE_MS);
    rpc.child.kill('SIGTERM');
    await until(() => lab.states()[0]?.includes('ended') ?? false, undefined, PATIENCE_MS);
    expect(await endsWithin(rpc.child, PATIENCE_MS)).toBe(true);
  });

  it('ends when it is killed, which only its pid can tell', async () => {
    const rpc = await startRpc();
    rpc.prompt('sleep-tool');
    await lab.expectStates(['idle working']);
    await sleep(WATCHED_AFTER_MS);
    rpc.child.kill('SIGKILL');
    await lab.expectStates(['idle working ended']);
  });

  it('runs a prompt in print mode and ends by itself', async () => {
    await lab.start({ daemon: true });
    const child = lab.spawn(['-p', 'hello'], 'ignore');
    expect(await endsWithin(child, PATIENCE_MS)).toBe(true);
    expect(child.exitCode).toBe(0);
    // An old release shuts down before its session could be seen idle.
    const ends = [`idle ${RUN} ended`, ...(release.settles ? [] : ['idle working ended'])];
    await until(
      () => ends.includes(lab.states()[0] ?? ''),
      () => String(lab.states()),
      PATIENCE_MS,
    );
  });

  it('shows a person at a terminal what it did before: prompt, /new, /resume, /quit', async () => {
    await lab.start({ daemon: true });
    const terminal = lab.terminal();
    await lab.expectStates(['idle']);
    await typeLine(terminal, 'hello');
    await lab.expectStates([`idle ${RUN}`]);
    await typeLine(terminal, '/new');
    await lab.expectStates([`idle ${RUN} ended`, 'idle']);
    await typeLine(terminal, '/resume');
    // The picker opens in its own time; Enter on an empty prompt does nothing.
    for (let tries = 0; tries < 20 && !/ended idle/.test(lab.states()[0] ?? ''); tries += 1) {
      await sleep(2_000);
      terminal.press('\r');
    }
    expect(lab.states()[0]).toMatch(/ended idle$/);
    await typeLine(terminal, '/quit');
    await terminal.exited;
    await until(() => lab.states().every((states) => states.split(' ').at(-1)?.startsWith('ended')));
  });

  it('ends at SIGTERM in a terminal: an old pi waits for nobody, then its pid tells', async () => {
    await lab.start({ daemon: true });
    const terminal = lab.terminal();
    await lab.expectStates(['idle']);
    await sleep(WATCHED_AFTER_MS);
    process.kill(terminal.pid, 'SIGTERM');
    await lab.expectStates(['idle ended']);
  });

  it('is known again to a daemon that was restarted', async () => {
    const rpc = await startRpc();
    rpc.prompt('hello');
    await lab.expectStates([`idle ${RUN}`]);
    const [row] = rows();
    await lab.stopDaemon();
    lab.recorder.forget();
    await lab.startDaemon();
    const again = () => lab.recorder.rows.get(row?.session_id ?? '')?.at(-1)?.state === 'idle';
    // The keep-alive comes every 30 s.
    expect(await lab.recorder.until(again, 45_000)).toBe(true);
  });
});

describe.each(BY_NAME)('%s when the daemon is of no use', (_name, release) => {
  let lab: PiLab;

  beforeEach(async () => {
    lab = await new PiLab(release).start({ daemon: false });
  });

  afterEach(() => lab.stop());

  it('runs and ends as without us when there is none', async () => {
    const child = lab.spawn(['-p', 'use-tool'], 'ignore');
    expect(await endsWithin(child, PATIENCE_MS)).toBe(true);
    expect(child.exitCode).toBe(0);
  });

  it('runs and ends with one that takes connections and never answers', async () => {
    const connections = new Set<net.Socket>();
    const server = net.createServer((connection) => {
      connections.add(connection);
      connection.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(lab.socket, resolve));
    try {
      const child = lab.spawn(['-p', 'use-tool'], 'ignore');
      expect(await endsWithin(child, PATIENCE_MS)).toBe(true);
      expect(child.exitCode).toBe(0);
      expect(connections.size).toBeGreaterThan(0);
    } finally {
      for (const connection of connections) connection.destroy();
      server.close();
    }
  });

  it('lists its models, which loads the extension without a session, and ends', async () => {
    const child = lab.spawn(['--list-models'], 'ignore');
    expect(await endsWithin(child, PATIENCE_MS)).toBe(true);
    expect(child.exitCode).toBe(0);
  });
});

describe('pi 1.6.0', () => {
  it('may name its session as it likes: an id need not be a UUID', async () => {
    const lab = await new PiLab({ agent: 'pi', about: 'pi 1.6.0', settles: true }).start({ daemon: true });
    try {
      const rpc = lab.rpc(['--session-id', 'my-custom.id_1']);
      await lab.expectStates(['idle']);
      expect([...lab.recorder.rows.keys()]).toEqual(['my-custom.id_1']);
      rpc.child.stdin?.end();
      await lab.expectStates(['idle ended']);
    } finally {
      await lab.stop();
    }
  });
});
