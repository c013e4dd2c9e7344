import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest } from '../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../contract/messages.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { asSnapshot } from '../../contract/subscription.ts';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { until } from '../support/until.ts';

/** Programs of the build before this one, kept packed: what is running on a machine while it is upgraded. */
const PACKED = path.join(import.meta.dirname, '../fixtures/previous-build.tar.gz');
const ID = '0b7e6c1a-2f4d-4a8e-9c3b-5d1e7f9a2b4c';

/** A stand-in for Claude that begins a turn, asks for permission and waits. */
const CLAUDE = `
const say = (line) => process.stdout.write(JSON.stringify({ session_id: '${ID}', ...line }) + '\\n');
say({ type: 'system', subtype: 'init', cwd: '/w', model: 'claude-opus-5' });
say({ type: 'system', subtype: 'session_state_changed', state: 'running' });
say({ type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 'Bash' } });
process.stdin.resume().on('end', () => process.exit(0));
`;

let unpacked: string;
let home: string;
let children: ChildProcess[];

beforeAll(() => {
  unpacked = mkdtempSync(path.join(os.tmpdir(), 'previous-'));
  execFileSync('tar', ['-xzf', PACKED, '-C', unpacked]);
});
afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'versions-'));
  children = [];
});
afterEach(async () => {
  for (const child of children.reverse()) {
    const closed = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await closed;
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function program(version: 'previous' | 'this', name: string): string {
  return version === 'this' ? path.join(PROGRAMS_DIR, name) : path.join(unpacked, 'previous-build', name);
}

function start(file: string, args: readonly string[], stdin: 'pipe' | 'ignore'): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', HOME: home, OMNI_DEV_NO_AUTOSTART: '1' };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: [stdin, 'ignore', 'ignore'] });
  children.push(child);
  return child;
}

const paths = () => resolvePaths({ env: {}, platform: process.platform, home, uid: process.getuid?.() ?? 0 });

async function row(): Promise<SessionEntry | undefined> {
  try {
    const reply = await sendRequest(paths().socket, sessionsRequest('list'));
    return reply.ok
      ? asSnapshot(reply.payload)?.sessions.find((entry) => entry.session_id === ID)
      : undefined;
  } catch {
    return undefined;
  }
}

const shows = (state: string) =>
  until(
    async () => (await row())?.state === state,
    () => `never ${state}`,
    120_000,
  );

const answers = () =>
  until(async () => {
    try {
      return (await sendRequest(paths().socket, { op: 'ping' })).ok;
    } catch {
      return false;
    }
  });

function startDaemon(version: 'previous' | 'this'): ChildProcess {
  mkdirSync(paths().runtimeDir, { recursive: true, mode: 0o700 });
  return start(program(version, 'daemon.cjs'), ['run'], 'ignore');
}

describe.each([
  ['this', 'previous'],
  ['previous', 'this'],
] as const)('the daemon of %s build with the programs of %s build', (daemon, others) => {
  beforeEach(async () => {
    startDaemon(daemon);
    await answers();
  });

  it('shows a wrapped session from its first line to its end', async () => {
    const wrapper = start(program(others, 'claude-wrap.cjs'), ['--', process.execPath, '-e', CLAUDE], 'pipe');
    await shows('waiting_for_permission');
    const answer = { type: 'control_response', response: { request_id: 'r1', subtype: 'success' } };
    wrapper.stdin?.write(`${JSON.stringify(answer)}\n`);
    await shows('working');
    wrapper.stdin?.end();
    await shows('ended');
  });

  it('takes the events of its hooks', async () => {
    const hook = start(program(others, 'hook.cjs'), [], 'pipe');
    hook.stdin?.end(
      JSON.stringify({ session_id: ID, hook_event_name: 'PermissionRequest', tool_name: 'Bash' }),
    );
    await shows('waiting_for_permission');
    expect(await row()).toMatchObject({ agent: 'claude' });
  });
});

describe.each([
  ['an upgrade', 'previous', 'this'],
  ['a downgrade', 'this', 'previous'],
] as const)('%s under a running wrapper', (_what, before, after) => {
  it('goes on with the other daemon', { timeout: 300_000 }, async () => {
    const old = startDaemon(before);
    await answers();
    const wrapper = start(program(before, 'claude-wrap.cjs'), ['--', process.execPath, '-e', CLAUDE], 'pipe');
    await shows('waiting_for_permission');
    const closed = new Promise((resolve) => old.once('close', resolve));
    old.kill('SIGTERM');
    await closed;
    startDaemon(after);
    await answers();
    const answer = { type: 'control_response', response: { request_id: 'r1', subtype: 'success' } };
    wrapper.stdin?.write(`${JSON.stringify(answer)}\n`);
    await shows('working');
    wrapper.stdin?.end();
    await shows('ended');
  });
});
