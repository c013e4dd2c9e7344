import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodexTerminal } from '../../../lab/codex-terminal.ts';
import { StateRecorder } from '../../../lab/observed-states.ts';
import { DaemonProcess, omniDev } from '../../../lab/programs.ts';
import { until } from '../../../support/until.ts';
import { claudeWrapProgram } from '../support/program.ts';

const ID = '4f2a1111-0000-4000-8000-000000000000';
const WAIT_MS = 60_000;

/** A stand-in of Claude: writes its live record, asks for program status, and announces what is typed, line by line. */
const FAKE = `
  const fs = require('fs');
  const folder = process.env.CLAUDE_CONFIG_DIR + '/sessions';
  const record = { pid: process.pid, sessionId: '${ID}', cwd: process.cwd(), startedAt: Date.now(), entrypoint: 'cli', kind: 'interactive', status: 'idle' };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(folder + '/' + process.pid + '.json', JSON.stringify(record));
  process.stdin.setRawMode(true);
  process.stdout.write('\\x1b]7501;?\\x07ready');
  let text = '';
  process.stdin.on('data', (keys) => {
    for (const key of String(keys)) {
      if (key !== '\\r') { text += key; continue; }
      if (text.endsWith('quit')) process.exit(0);
      process.stdout.write('\\x1b]7501;' + text.slice(text.indexOf('state=')) + '\\x07said\\r\\n');
      text = '';
    }
  });
`;

let root: string;
let env: Record<string, string>;
let daemon: DaemonProcess;
let recorder: StateRecorder;
let terminal: CodexTerminal;

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-told-'));
  env = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    CLAUDE_CONFIG_DIR: path.join(root, 'claude'),
    TERM: 'xterm-256color',
    OMNI_DEV_NO_AUTOSTART: '1',
  };
  mkdirSync(path.join(root, 'claude'));
  writeFileSync(path.join(root, 'fake.cjs'), FAKE);
  const socket = path.join(root, '.local', 'share', 'omni-dev', 'daemon.sock');
  daemon = await DaemonProcess.start(socket, env);
  recorder = new StateRecorder(socket);
  await recorder.ready();
});

afterEach(async () => {
  recorder.close();
  await terminal.close();
  await daemon.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

/** Starts the stand-in under the wrapper, below a launcher or not. */
async function start(...before: string[]): Promise<void> {
  const args = [claudeWrapProgram, '--pty', '--', ...before, process.execPath, path.join(root, 'fake.cjs')];
  terminal = new CodexTerminal({ command: process.execPath, args, cwd: root, env });
  await terminal.see(/ready/, WAIT_MS);
}

const seen = () => recorder.rows.get(ID) ?? [];
const reaches = (state: string) =>
  until(
    () => seen().at(-1)?.state === state,
    () => `${state} is not the last of ${seen().map((one) => `${one.state} by ${one.entry?.feed}`)}`,
    WAIT_MS,
  );

describe('what a program tells its terminal', () => {
  it.each([
    ['itself', []],
    ['below a launcher', ['sh', '-c', '"$@"; exit 0', 'launcher']],
  ])('is what the list says, when it runs %s', async (_, before) => {
    await start(...before);
    for (const [words, state] of [
      ['state=idle', 'idle'],
      ['state=working', 'working'],
      ['state=blocked:kind=permission', 'waiting_for_permission'],
      ['state=working', 'working'],
      ['state=blocked:kind=question', 'waiting_for_input'],
      ['state=done', 'idle'],
    ] as const) {
      terminal.press(`${words}\r`);
      await reaches(state);
    }
    expect(seen().at(-1)?.entry).toMatchObject({ feed: 'terminal_status', outcome: 'done' });
    expect(terminal.output).not.toContain('state=');
    terminal.press('quit\r');
    expect((await terminal.exited).code).toBe(0);
    await reaches('ended');
  });

  it('and nobody knows shows in doctor, and changes nothing', async () => {
    await start();
    terminal.press('state=working\r');
    await reaches('working');
    terminal.press('state=pondering\r');
    const doctor = () => omniDev(['doctor', '-o', 'json'], env).catch((error) => String(error.stdout));
    await until(
      async () => (await doctor()).includes('state=pondering'),
      () => 'doctor never said it',
      WAIT_MS,
    );
    expect(seen().at(-1)?.state).toBe('working');
    terminal.press('quit\r');
    await terminal.exited;
  });
});
