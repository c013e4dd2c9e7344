import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRequest } from '../../../contract/client.ts';
import { sessionsRequest } from '../../../contract/messages.ts';
import { until } from '../../support/until.ts';
import { WrappedChild } from '../../wrappers/claude/support/wrapped-child.ts';

const daemonProgram = path.join(import.meta.dirname, '../../../dist/daemon.cjs');
const streamJson = ['--input-format', 'stream-json'];

const id = '5f0c2b8e-0000-4000-8000-000000000001';
const init = `{"type":"system","subtype":"init","session_id":"${id}","cwd":"/w","model":"claude-opus-5"}\n`;
const stateLine = (state: string) =>
  `{"type":"system","subtype":"session_state_changed","state":"${state}","session_id":"${id}"}\n`;

/** What leaves while a daemon misbehaves must be what an undisturbed wrapper lets out. */
const conversation = [init, stateLine('running'), '{"type":"assistant"}\n', stateLine('idle')];

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function wrapped(socket?: string): Promise<WrappedChild> {
  const child = new WrappedChild({ ...(socket === undefined ? {} : { socket }), childArguments: streamJson });
  cleanUps.push(() => child.dispose());
  return child.ready();
}

/** A server in place of the daemon. */
async function serverThat(onConnection: (connection: net.Socket) => void): Promise<WrappedChild> {
  const child = await wrapped();
  const connections = new Set<net.Socket>();
  const server = net.createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    onConnection(connection);
  });
  await new Promise<void>((resolve) => server.listen(path.join(child.dir, 'no-daemon.sock'), resolve));
  cleanUps.push(() => {
    for (const connection of connections) connection.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return child;
}

/** The child speaks and leaves; the wrapper lets everything out, both ways, and leaves in time. */
async function behavesAsEver(child: WrappedChild): Promise<void> {
  for (const line of conversation) await child.childWrites(line);
  await child.hostWrites('{"type":"user"}\n');
  expect(Buffer.concat(child.output).toString()).toBe(conversation.join(''));
  expect(Buffer.concat(child.input).toString()).toBe('{"type":"user"}\n');
  child.tell({ exit: 5 });
  const left = Date.now();
  expect(await child.exited()).toEqual({ code: 5, signal: null });
  // 1.5 s is the bound of the last report; the rest is a slow machine's.
  expect(Date.now() - left).toBeLessThan(8_000);
}

describe('a daemon that is not well changes nothing for the child', () => {
  it('none at all', async () => behavesAsEver(await wrapped()));

  it('one that accepts and never answers', async () => behavesAsEver(await serverThat(() => {})));

  it('one that answers garbage', async () => {
    const garbage = Buffer.from([0xff, 0x00, 0x0a, 0x7b, 0x0a, 0x22, 0x0a]);
    await behavesAsEver(await serverThat((connection) => connection.write(garbage)));
  });

  it('one that answers without end', async () => {
    const flood = Buffer.alloc(256 * 1_024, 'x');
    await behavesAsEver(
      await serverThat((connection) => {
        const pour = () => {
          while (connection.writable && connection.write(flood));
        };
        connection.on('drain', pour);
        pour();
      }),
    );
  });

  it('one that hangs up on every connection', async () =>
    behavesAsEver(await serverThat((connection) => connection.destroy())));

  it('one that refuses every request', async () =>
    behavesAsEver(await serverThat((connection) => connection.write('{"ok":false,"error":"no"}\n'))));

  it('a socket path that is a folder', async () => behavesAsEver(await wrapped('/tmp')));
});

describe('the real daemon', () => {
  function start(socket: string): ChildProcess {
    const daemon = spawn(process.execPath, [daemonProgram, 'run', '--socket', socket], {
      stdio: 'ignore',
      env: { ...process.env, HOME: path.dirname(socket), XDG_DATA_HOME: path.dirname(socket) },
    });
    cleanUps.push(() => daemon.kill('SIGKILL'));
    return daemon;
  }

  async function stateIn(socket: string): Promise<string | undefined> {
    try {
      const reply = await sendRequest(socket, sessionsRequest('list'));
      if (!reply.ok) return undefined;
      const { sessions } = reply.payload as { sessions: { session_id: string; state: string }[] };
      return sessions.find((session) => session.session_id === id)?.state;
    } catch {
      return undefined;
    }
  }

  async function untilState(socket: string, state: string | undefined): Promise<void> {
    let last: string | undefined;
    const reached = async () => {
      last = await stateIn(socket);
      return last === state;
    };
    await until(reached, () => `expected ${state}, the daemon says ${last}`);
  }

  it('killed mid-turn and started again has the state that the stream is in', async () => {
    const child = await wrapped();
    const socket = path.join(child.dir, 'no-daemon.sock');
    const first = start(socket);
    await child.childWrites(init + stateLine('running'));
    await untilState(socket, 'working');
    first.kill('SIGKILL');
    await until(() => first.signalCode !== null);
    await child.childWrites(stateLine('idle') + stateLine('running'));
    await child.childWrites(
      '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool"}}\n',
    );
    start(socket);
    await untilState(socket, 'waiting_for_permission');
    child.tell({ exit: 0 });
    expect(await child.exited()).toEqual({ code: 0, signal: null });
    expect(['ended', undefined]).toContain(await stateIn(socket));
  });

  it('stopped for a while hears the latest state when it goes on', async () => {
    const child = await wrapped();
    const socket = path.join(child.dir, 'no-daemon.sock');
    const daemon = start(socket);
    await child.childWrites(init + stateLine('running'));
    await untilState(socket, 'working');
    daemon.kill('SIGSTOP');
    await child.childWrites(stateLine('idle'));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    daemon.kill('SIGCONT');
    await untilState(socket, 'idle');
  });
});
