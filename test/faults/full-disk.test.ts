import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../daemon-lite/support/daemon-process.ts';
import { ask } from '../daemon-lite/support/line-client.ts';
import { runSink } from '../sink/sink-process.ts';
import { until } from '../support/until.ts';

const WRAPPER = path.join(import.meta.dirname, '../../dist/claude-wrap.cjs');
const ID = '0b7e6c1a-2f4d-4a8e-9c3b-5d1e7f9a2b4c';
const SIZE_BYTES = 1_048_576;

/** A whole home on a disk of one megabyte. */
const home = mkdtempSync(path.join(os.tmpdir(), 'full-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_BYTES}`, 'tmpfs', home]).status === 0;
const socket = path.join(home, '.local/share/omni-dev/daemon.sock');
const journal = path.join(home, `.local/share/omni-dev/sessions/claude/${ID}.jsonl`);
const filler = path.join(home, 'filler');
const env = { PATH: process.env.PATH ?? '', HOME: home, OMNI_DEV_NO_AUTOSTART: '1' };

let daemon: DaemonProcess;

beforeAll(async () => {
  if (!isMounted) return;
  daemon = new DaemonProcess({ env });
  await daemon.settled(socket);
});

afterAll(async () => {
  if (isMounted) {
    await daemon.remove();
    spawnSync('umount', ['-l', home]);
  }
  rmSync(home, { recursive: true, force: true });
});

/** Leaves not one free byte. */
function fill(): void {
  mkdirSync(filler, { recursive: true });
  for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) writeFileSync(path.join(filler, `${readdirSync(filler).length}`), Buffer.alloc(bytes));
    } catch {
      // Full for files of this size: the next smaller ones may still fit.
    }
  }
}

const hook = (name: string, more: object = {}) =>
  JSON.stringify({ session_id: ID, hook_event_name: name, cwd: home, ...more });

async function state(): Promise<string | undefined> {
  const reply = await ask(socket, { service: 'sessions', op: 'list' });
  const { sessions } = reply.payload as { sessions: { session_id: string; state: string }[] };
  return sessions.find(({ session_id }) => session_id === ID)?.state;
}

describe.skipIf(!isMounted)(
  `a full disk${isMounted ? '' : ' (NOT RUN: no tmpfs can be mounted here)'}`,
  () => {
    it('takes no hook event from a daemon that runs, and says nothing to the agent', async () => {
      fill();
      const run = await runSink(hook('PermissionRequest', { tool_name: 'Bash' }), { home, env });
      expect(run).toMatchObject({ code: 0, stdout: '' });
      await until(async () => (await state()) === 'waiting_for_permission');
      expect(existsSync(journal) ? readFileSync(journal, 'utf8') : '').toBe('');
    });

    it('changes not one byte of a wrapped stream', async () => {
      const lines = `${JSON.stringify({ type: 'system', subtype: 'init', session_id: ID })}\n`.repeat(2_000);
      const log = path.join(home, 'wrap.log');
      const child = spawn(process.execPath, [WRAPPER, '--', 'cat'], {
        env: { ...env, OMNI_DEV_CLAUDE_WRAP_LOG: log },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const out: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stdin.end(lines);
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
      expect(Buffer.concat(out).toString()).toBe(lines);
    });

    it('is forgotten as soon as there is room again', async () => {
      rmSync(filler, { recursive: true });
      expect(await runSink(hook('PostToolUse'), { home, env })).toMatchObject({ code: 0, stdout: '' });
      await until(async () => (await state()) === 'working');
      expect(readFileSync(journal, 'utf8').trimEnd().split('\n').map(recordEvent)).toEqual(['post_tool_use']);
    });
  },
);

const recordEvent = (line: string): unknown => (JSON.parse(line) as { event: unknown }).event;
