import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildPiExtension } from '../../../shims/pi/build.mjs';
import { piExtensionText } from '../../../shims/pi/pi-extension-text.ts';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { FakePi } from './fake-pi.ts';

let daemon: FakeDaemon;

const accept = () => ({ ok: true, payload: { ok: true } });
const states = () =>
  daemon.requests.map(
    ({ payload }) => (payload as { event?: { stream_state: string } }).event?.stream_state ?? 'end',
  );

beforeEach(() => {
  daemon = new FakeDaemon(accept);
});

afterEach(() => daemon.close());

/** So many changes between idle and waiting. */
async function changes(pi: FakePi, count: number): Promise<void> {
  for (let change = 0; change < count; change += 1)
    await pi.fire(change % 2 === 0 ? 'ui_prompt_start' : 'ui_prompt_end');
}

describe('reports', () => {
  it('arrive one at a time and in order', async () => {
    let unanswered = 0;
    let most = 0;
    const server = net.createServer((connection) => {
      connection.on('data', (bytes) => {
        unanswered += 1;
        most = Math.max(most, unanswered);
        daemon.requests.push(JSON.parse(String(bytes)));
        setTimeout(() => {
          unanswered -= 1;
          connection.end('{"ok":true}\n');
        }, 5);
      });
    });
    await new Promise<void>((resolve) => server.listen(daemon.socket, resolve));
    try {
      const pi = new FakePi(daemon.socket);
      await pi.fire('session_start');
      await changes(pi, 20);
      await until(() => daemon.requests.length === 21);
      expect(states()).toEqual(['idle', ...Array(10).fill(['waiting_for_input', 'idle']).flat()]);
      expect(most).toBe(1);
    } finally {
      server.close();
    }
  });

  it('cost one refused connection while no daemon is there, and tell it the present when it comes', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await changes(pi, 200);
    await pi.fire('agent_start');
    await daemon.listen();
    await until(() => states().at(-1) === 'working');
    expect(states().length).toBeLessThan(5);
  });

  it('that a hung daemon does not answer are tried again, the newest only', async () => {
    let answers = false;
    await daemon.close();
    daemon = new FakeDaemon(() => (answers ? accept() : undefined));
    await daemon.listen();
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await until(() => daemon.requests.length === 1);
    await changes(pi, 100);
    await pi.fire('agent_start');
    answers = true;
    await until(() => states().at(-1) === 'working');
    expect(states().length).toBeLessThan(40);
  });

  it('that the daemon refuses are not repeated', async () => {
    await daemon.close();
    daemon = new FakeDaemon(() => ({ ok: false, error: 'unknown agent' }));
    await daemon.listen();
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(daemon.requests).toHaveLength(1);
  });

  it('repeat the state with each keep-alive, idle too, so that a restarted daemon is right again', async () => {
    await daemon.listen();
    const pi = new FakePi(daemon.socket, {}, { keepAlive: 50 });
    await pi.fire('session_start');
    await until(() => states().length >= 3);
    await daemon.stop();
    daemon.requests.length = 0;
    await daemon.listen();
    await until(() => states().length >= 2);
    expect(new Set(states())).toEqual(new Set(['idle']));
    await pi.fire('session_shutdown', { reason: 'quit' });
    const after = daemon.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(daemon.requests).toHaveLength(after);
  });
});

describe('the end', () => {
  it('is delivered before pi goes on', async () => {
    await daemon.listen();
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('agent_start');
    await pi.fire('session_shutdown', { reason: 'quit' });
    expect(states().at(-1)).toBe('end');
  });

  it('keeps pi no longer than its bound when the daemon hangs', async () => {
    await daemon.close();
    daemon = new FakeDaemon(() => undefined);
    await daemon.listen();
    const pi = new FakePi(daemon.socket, {}, { request: 2_000, lastReport: 400, end: 1_000 });
    await pi.fire('session_start');
    await until(() => daemon.requests.length === 1);
    const began = performance.now();
    await pi.fire('session_shutdown', { reason: 'quit' });
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(states()).toEqual(['idle', 'end']);
  });

  it('costs nothing without a daemon, or for a session that never started', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_shutdown', { reason: 'quit' });
    await pi.fire('session_start');
    const began = performance.now();
    await pi.fire('session_shutdown', { reason: 'quit' });
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('the installed file', () => {
  const run = promisify(execFile);

  /** Runs a script that loads the installed file as a module, as pi does. */
  async function load(script: string): Promise<string> {
    const template = readFileSync(buildPiExtension(daemon.dir), 'utf8');
    writeFileSync(path.join(daemon.dir, 'extension.mjs'), piExtensionText(template, daemon.socket));
    const main = path.join(daemon.dir, 'main.mjs');
    writeFileSync(
      main,
      `import extension from './extension.mjs';
const handlers = new Map();
extension({ on: (name, handler) => handlers.set(name, handler) });
const ctx = { cwd: '/w', isIdle: () => true, sessionManager: { getSessionId: () => 'id', getSessionFile: () => undefined } };
const fire = (name, event = {}) => handlers.get(name)?.(event, ctx);
${script}`,
    );
    const { stdout } = await run(process.execPath, [main], { timeout: 20_000 });
    return stdout;
  }

  it('lets its process end by itself, whatever the daemon does', async () => {
    await load("fire('session_start');");
    await daemon.close();
    daemon = new FakeDaemon(() => undefined);
    await daemon.listen();
    await load("fire('session_start'); fire('agent_start'); fire('agent_end');");
  });

  it('has its end out before its process ends', async () => {
    await daemon.listen();
    expect(
      await load(
        "fire('session_start'); await fire('session_shutdown', { reason: 'quit' }); console.log('over');",
      ),
    ).toBe('over\n');
    expect(states().at(-1)).toBe('end');
  });

  it('survives a host that is not pi', async () => {
    expect(
      await load(`
extension({});
extension({ on() { throw new Error('no events here'); } });
console.log('alive');`),
    ).toBe('alive\n');
  });
});
