import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ObserverConnection } from '../../../agents/codex/observer-connection.ts';
import { lineTransport } from '../../../agents/codex/transport.ts';
import { nativeCodex } from '../../lab/codex-home.ts';
import { CodexLab } from '../../lab/codex-lab.ts';

const lab = new CodexLab();
beforeAll(() => lab.start({ daemon: false }));
afterAll(() => lab.stop());

it("the observer's requests are those of the real app-server, over lines too", async () => {
  const server = spawn(nativeCodex(), ['app-server'], { cwd: lab.home.project, env: lab.env() });
  let closed = false;
  const connection = new ObserverConnection(lineTransport(server.stdout, server.stdin), {
    notification: () => {},
    closed: () => {
      closed = true;
    },
  });
  const exited = new Promise((done) => server.once('exit', done));
  expect(await connection.initialize({ name: 'omni-dev', version: '0.0.1' })).toEqual({
    serverVersion: expect.stringMatching(/^0\.\d+\.\d+/),
  });
  expect(await connection.loadedThreads()).toEqual([]);
  expect(await connection.readThread('01a22c03-0000-7000-8000-000000000000')).toBeUndefined();
  await connection.unsubscribe('01a22c03-0000-7000-8000-000000000000');
  server.kill('SIGTERM');
  await exited;
  await expect(connection.loadedThreads()).rejects.toThrow();
  expect(closed).toBe(true);
});
