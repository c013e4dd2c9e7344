import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { runSink } from './sink-process.ts';

const ID = '0b7e6c1a-2f4d-4a8e-9c3b-5d1e7f9a2b4c';
/** Generous, for a busy machine. */
const WAIT = { timeout: 20_000 };
const SECRET = 'the-secret-of-the-user';

let home: string;
let runtimeDir: string;
let servers: net.Server[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'sink-'));
  runtimeDir = path.join(home, '.local/share/omni-dev');
});

afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers = [];
  rmSync(home, { recursive: true, force: true });
});

function hook(event: string, more: object = {}): string {
  return JSON.stringify({ session_id: ID, hook_event_name: event, cwd: '/w', ...more });
}

/** A daemon that answers as told and remembers what it got. */
async function listen(reply: string | undefined): Promise<string[]> {
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  const lines: string[] = [];
  const server = net.createServer((connection) => {
    connection.on('error', () => {});
    connection.on('data', (chunk) => {
      lines.push(chunk.toString());
      if (reply !== undefined) connection.write(reply);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path.join(runtimeDir, 'daemon.sock'), resolve));
  return lines;
}

/** The request that a daemon got. The sink does not wait for it to be read. */
function received(lines: readonly string[]): Promise<string> {
  return vi.waitFor(() => {
    expect(lines.join('')).toContain('\n');
    return lines.join('');
  }, WAIT);
}

/** A pipe that takes no more: writes to `end` wait until somebody reads. */
function fullPipe(file: string): { end: number; both: number } {
  execFileSync('mkfifo', [file]);
  const both = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(both, Buffer.alloc(4_096));
  } catch {
    // Full.
  }
  return { end: openSync(file, constants.O_WRONLY), both };
}

function journal(agent = 'claude'): string {
  return readFileSync(path.join(runtimeDir, 'sessions', agent, `${ID}.jsonl`), 'utf8');
}

describe('the hook sink', () => {
  it('sends one operation, journals it first, and says nothing', async () => {
    const lines = await listen('{"ok":true,"payload":{"ok":true}}\n');
    const env = { CLAUDE_PID: '4242' };
    const run = await runSink(hook('UserPromptSubmit', { prompt: SECRET, prompt_id: 'p1' }), { home, env });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const sent = JSON.parse(await received(lines)) as { op: string; payload: Record<string, unknown> };
    expect(sent).toMatchObject({ service: 'sessions', op: 'observe' });
    expect(sent.payload).toMatchObject({
      session_id: ID,
      event: 'user_prompt_submit',
      pid: 4242,
      cwd: '/w',
      prompt_id: 'p1',
    });
    const record = JSON.parse(journal()) as Record<string, unknown>;
    expect(record).toMatchObject({
      v: 1,
      agent: 'claude',
      session_id: ID,
      op: 'observe',
      event: 'user_prompt_submit',
    });
    expect({ ts: record.ts, seq: record.seq }).toEqual(sent.payload.stamp);
    expect(lines.join('') + journal()).not.toContain(SECRET);
  });

  it('keeps its files to the user', async () => {
    await listen('{"ok":true}\n');
    await runSink(hook('Stop'), { home });
    const mode = (file: string) => statSync(path.join(runtimeDir, file)).mode & 0o777;
    expect(mode('sessions')).toBe(0o700);
    expect(mode('sessions/claude')).toBe(0o700);
    expect(mode(`sessions/claude/${ID}.jsonl`)).toBe(0o600);
  });

  it('journals nothing on a machine that never ran the daemon', async () => {
    expect(await runSink(hook('Stop'), { home })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(home)).toEqual([]);
  });

  it("journals behind the user's own link to the directory, as the daemon does", async () => {
    const elsewhere = path.join(home, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(path.dirname(runtimeDir), { recursive: true });
    symlinkSync(elsewhere, runtimeDir);
    await runSink(hook('Stop'), { home });
    await runSink(hook('UserPromptSubmit'), { home });
    expect(journal().trimEnd().split('\n')).toHaveLength(2);
  });

  it('keeps an end for a daemon that is down', async () => {
    mkdirSync(runtimeDir, { recursive: true });
    await runSink(hook('SessionEnd', { reason: 'other' }), { home });
    expect(JSON.parse(journal())).toMatchObject({ op: 'end', reason: 'other' });
  });

  it('tells Codex by its argument', async () => {
    const lines = await listen('{"ok":true}\n');
    await runSink(hook('Stop'), { home, argv: ['--agent', 'codex'] });
    expect(JSON.parse(await received(lines))).toMatchObject({ payload: { agent: 'codex' } });
    expect(JSON.parse(journal('codex'))).toMatchObject({ agent: 'codex' });
  });

  it('starts a new line behind a record that a full disk cut short', async () => {
    mkdirSync(path.join(runtimeDir, 'sessions/claude'), { recursive: true });
    const file = path.join(runtimeDir, 'sessions/claude', `${ID}.jsonl`);
    writeFileSync(file, '{"v":1,"ts":"2026');
    await runSink(hook('Stop'), { home });
    expect(JSON.parse(journal().split('\n')[1] ?? '')).toMatchObject({ event: 'stop' });
  });
});

describe('C8: every path exits 0 with empty standard output', () => {
  const inputs: Record<string, string | Buffer> = {
    'no input': '',
    'no JSON': 'not json at all',
    'a cut payload': '{"session_id":"x","hook_ev',
    'an array': '[]',
    'no id': '{"hook_event_name":"Stop"}',
    'a wrong type': '{"session_id":5,"hook_event_name":"Stop"}',
    'an unknown event': '{"session_id":"x","hook_event_name":"Later"}',
    'an event named like a property': '{"session_id":"x","hook_event_name":"constructor"}',
    'no UTF-8': Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
    'a deep payload': `${'['.repeat(50_000)}`,
    'a large tool output': hook('PostToolUse', { tool_response: 'x'.repeat(8_000_000) }),
  };
  for (const [name, input] of Object.entries(inputs)) {
    it(name, async () =>
      expect(await runSink(input, { home })).toMatchObject({ code: 0, stdout: '', stderr: '' }),
    );
  }

  it('a daemon that refuses, hangs or answers garbage', async () => {
    for (const reply of ['{"ok":false,"error":"no"}\n', undefined, 'garbage\n']) {
      await listen(reply);
      const run = await runSink(hook('PermissionRequest', { tool_name: 'Bash' }), { home });
      expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
      await new Promise((resolve) => servers.pop()?.close(resolve));
    }
  });

  it('signals, and an input that never ends', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      expect(await runSink('{', { home, keepOpen: true, signal })).toMatchObject({ code: 0, stdout: '' });
    }
    expect(await runSink('{', { home, keepOpen: true })).toMatchObject({ code: 0, signal: null, stdout: '' });
  });

  it('a whole event whose pipe the agent is too busy to close, which is journaled', async () => {
    await listen('{"ok":true,"payload":{"ok":true}}\n');
    const run = await runSink(hook('PermissionRequest', { tool_name: 'Bash' }), { home, keepOpen: true });
    expect(run).toMatchObject({ code: 0, signal: null, stdout: '' });
    const journal = readFileSync(path.join(runtimeDir, `sessions/claude/${ID}.jsonl`), 'utf8');
    expect(journal.trimEnd().split('\n')).toHaveLength(1);
    expect(journal).toContain('permission_prompt');
  });

  it('a journal that cannot be written: a link, a folder, a foreign place', async () => {
    const folder = path.join(runtimeDir, 'sessions/claude');
    const file = path.join(folder, `${ID}.jsonl`);
    mkdirSync(file, { recursive: true });
    expect(await runSink(hook('Stop'), { home })).toMatchObject({ code: 0, stdout: '' });
    rmSync(file, { recursive: true });
    const target = path.join(home, 'elsewhere');
    writeFileSync(target, '');
    symlinkSync(target, file);
    expect(await runSink(hook('Stop'), { home })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(target, 'utf8')).toBe('');
    rmSync(path.join(runtimeDir, 'sessions'), { recursive: true });
    writeFileSync(path.join(runtimeDir, 'sessions'), 'a file in the way');
    expect(await runSink(hook('Stop'), { home })).toMatchObject({ code: 0, stdout: '' });
  });

  it('C9: a request is never answered, even with diagnostics on and the home gone', async () => {
    const env = { RUST_LOG: 'omni_dev::cli::sessions=debug', XDG_DATA_HOME: '/dev/null/nowhere' };
    const run = await runSink(
      hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: SECRET } }),
      { home, env },
    );
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('session_hook_report');
    expect(run.stderr).not.toContain(SECRET);
  });

  it('diagnostics that nobody reads, on a full pipe, are not waited for', async () => {
    mkdirSync(runtimeDir, { recursive: true });
    const input = path.join(home, 'input');
    writeFileSync(input, hook('Stop'));
    const pipe = fullPipe(path.join(home, 'pipe'));
    const stdin = openSync(input, 'r');
    const sink = spawn(process.execPath, [path.join(PROGRAMS_DIR, 'hook.cjs')], {
      env: { PATH: process.env.PATH, HOME: home, RUST_LOG: 'debug' },
      stdio: [stdin, 'ignore', pipe.end],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    const code = await new Promise((resolve) => sink.once('exit', resolve));
    for (const descriptor of [stdin, pipe.end, pipe.both]) closeSync(descriptor);
    expect(code).toBe(0);
    expect(journal()).toContain('"event":"stop"');
  });

  it('C10: a socket file that nobody listens on is silent and keeps the journal', async () => {
    await listen(undefined);
    const socket = path.join(runtimeDir, 'daemon.sock');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    writeFileSync(socket, '');
    expect(await runSink(hook('Stop'), { home })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(path.join(runtimeDir, 'sessions/claude', `${ID}.jsonl`))).toBe(true);
  });
});

describe('A24: the sink returns at once', () => {
  it('once the kernel has its journaled event, whatever the daemon does', async () => {
    const lines = await listen(undefined);
    const run = await runSink(hook('PermissionRequest', { tool_name: 'Bash' }), { home });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await received(lines)).toContain('permission_prompt');
  });

  it('after a while with a daemon that never answers an event that is nowhere else', async () => {
    const lines = await listen(undefined);
    writeFileSync(path.join(runtimeDir, 'sessions'), 'no journals');
    const run = await runSink(hook('PermissionRequest', { tool_name: 'Bash' }), { home });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await received(lines)).toContain('permission_prompt');
    // Its own bound is 2 s; starting it on a busy machine takes what it takes.
    expect(run.elapsedMs).toBeLessThan(20_000);
  });
});

describe('C11: a hook costs as little as a Node program can', () => {
  it('is one small file that loads nothing but Node itself', () => {
    const program = readFileSync(path.join(PROGRAMS_DIR, 'hook.cjs'), 'utf8');
    const loaded = [...program.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name ?? '');
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(program).not.toContain('child_process');
    expect(program.length).toBeLessThan(64 * 1024);
  });
});
