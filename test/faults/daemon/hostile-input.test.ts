import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entrySchema } from '../../../contract/schema/wire.ts';
import { DaemonProcess } from '../../daemon-lite/support/daemon-process.ts';
import { ask, LineClient, list } from '../../daemon-lite/support/line-client.ts';
import { ThrowAwayHome } from '../../daemon-lite/support/throw-away.ts';

let home: ThrowAwayHome;
let socket: string;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = new ThrowAwayHome();
  socket = home.path('run', 'd.sock');
  daemon = new DaemonProcess({ env: home.env({ OMNI_DEV_LOG: 'trace' }), socket });
  expect(await daemon.settled(socket), daemon.stderr).toBe('serving');
});
afterAll(async () => {
  await daemon.remove();
  home.remove();
});

/** Sends bytes, finishes sending, and returns every line that came back before the end. */
async function exchange(bytes: Buffer): Promise<string[]> {
  const client = await LineClient.connect(socket);
  client.sendBytes(bytes);
  client.halfClose();
  try {
    const lines: string[] = [];
    for (;;) {
      const line = await client.line().catch(() => undefined);
      if (line === undefined) return lines;
      lines.push(line);
    }
  } finally {
    client.hangUp();
  }
}

async function isUnharmed(): Promise<void> {
  expect((await ask(socket, { op: 'ping' })).ok).toBe(true);
  expect(daemon.exitCode).toBeUndefined();
  for (const row of await list(socket)) entrySchema.parse(row);
}

const anyJson = fc.jsonValue({ maxDepth: 3 });
const op = fc.constantFrom(
  'observe',
  'end',
  'window',
  'window-unregister',
  'list',
  'why',
  'focus-folder',
  'x',
);
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('../../etc/passwd', '__proto__', 'constructor', '\u001b]0;x\u0007', '\u202egnp', '\0', ' '),
);
const payload = fc.oneof(
  anyJson,
  fc.record(
    {
      session_id: hostileText,
      event: fc.oneof(fc.constantFrom('stop', 'session_start', 'pre_tool_use'), anyJson),
      cwd: hostileText,
      transcript_path: hostileText,
      repo: hostileText,
      model: hostileText,
      agent_id: hostileText,
      key: hostileText,
      id: hostileText,
      folders: fc.array(hostileText, { maxLength: 3 }),
      tabs: anyJson,
      pid: fc.oneof(fc.integer(), anyJson),
      stamp: anyJson,
      background: anyJson,
      __proto__: anyJson,
    },
    { requiredKeys: [] },
  ),
);
const request = fc.record({ service: fc.constantFrom('sessions', null, 'daemon', 'x'), op, payload });

describe('hostile input', { timeout: 120_000 }, () => {
  it('of any bytes gets one reply per line at most and hurts nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const lines = await exchange(Buffer.from(bytes));
        for (const line of lines) expect(JSON.parse(line)).toMatchObject({ ok: false });
        expect(lines.length).toBeLessThanOrEqual(Buffer.from(bytes).toString('latin1').split('\n').length);
      }),
      { numRuns: 150 },
    );
    await isUnharmed();
  });

  it('of any JSON gets exactly one reply per line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anyJson, request), { minLength: 1, maxLength: 20 }),
        async (values) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
          const lines = await exchange(Buffer.from(text));
          expect(lines).toHaveLength(values.length);
          for (const line of lines) expect(JSON.parse(line)).toHaveProperty('ok');
        },
      ),
      { numRuns: 150 },
    );
    await isUnharmed();
  });

  it('of well-formed JSON that is nested deeply is refused', async () => {
    const deep = `{"op":"ping","payload":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`;
    await exchange(Buffer.from(deep));
    await isUnharmed();
  });

  it('of more sessions and windows than there is room for evicts the silent ones', async () => {
    const requests = Array.from({ length: 2_000 }, (_, at) => [
      { service: 'sessions', op: 'observe', payload: { session_id: `flood-${at}`, event: 'stop' } },
      { service: 'sessions', op: 'window', payload: { key: `w-${at}`, folders: ['/'], tabs: 1 } },
    ]);
    await exchange(
      Buffer.from(
        requests
          .flat()
          .map((value) => `${JSON.stringify(value)}\n`)
          .join(''),
      ),
    );
    expect(await list(socket)).toHaveLength(512);
    await isUnharmed();
  });

  it('leaves no control character in the log', () => {
    expect(daemon.stderr.length).toBeGreaterThan(1_000);
    expect(daemon.stderr).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
  });
});
