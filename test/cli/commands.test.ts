import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseProgram } from '../../cli/program-choice.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { OMNI_DEV } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { entry } from './support/entries.ts';
import { runCommand } from './support/run-cli.ts';

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = await new FakeDaemon().listen();
});

afterEach(() => daemon.close());

describe('which program runs', () => {
  it.each([
    [['sessions', 'hook', '--agent', 'codex'], { program: 'hook', argv: ['--agent', 'codex'] }],
    [['claude-wrap', '--', 'claude', '-p'], { program: 'claude-wrap', argv: ['--', 'claude', '-p'] }],
    [['codex-wrap', '--', 'codex'], { program: 'codex-wrap', argv: ['--', 'codex'] }],
    [['daemon', 'run', '--socket', 's'], { program: 'daemon', argv: ['--socket', 's'] }],
    [['daemon', 'start'], { program: 'cli', argv: ['daemon', 'start'] }],
    [['sessions', 'hook', '--help'], { program: 'cli', argv: ['sessions', 'hook', '--help'] }],
    [['claude-wrap', '--', 'claude', '--help'], { program: 'claude-wrap', argv: ['--', 'claude', '--help'] }],
    [[], { program: 'cli', argv: [] }],
  ])('%j', (argv, choice) => expect(chooseProgram(argv)).toEqual(choice));
});

describe('commands', () => {
  it('print help with examples and exit 0 when asked, and usage errors with 2', async () => {
    const help = await runCommand(['sessions', 'list', '--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
    expect(await runCommand([])).toMatchObject({ exitCode: 0 });
    const unknown = await runCommand(['sesions']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toBe("omni-dev: unknown command 'sesions' (Did you mean sessions?)\n");
    expect((await runCommand(['sessions', 'window', '--key', 'k', '--tabs', '-1'])).exitCode).toBe(2);
    expect((await runCommand(['sessions', 'window', '--key', 'k', '--tabs', '1.5'])).exitCode).toBe(2);
  });

  it('say in one line what failed, without control characters of the daemon', async () => {
    const answering = await new FakeDaemon(() => ({ ok: false, error: 'bad\n\u001b[31mthing' })).listen();
    const result = await runCommand(['sessions', 'list', '--socket', answering.socket]);
    await answering.close();
    expect(result).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'omni-dev: daemon returned an error: bad[31mthing\n',
    });
  });

  it('say in one line that their output cannot be written', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
    writeFileSync(path.join(folder, 'out'), '');
    const onlyToRead = openSync(path.join(folder, 'out'), 'r');
    const child = spawn(process.execPath, [OMNI_DEV, 'schema', 'entry'], {
      stdio: ['ignore', onlyToRead, 'pipe'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    closeSync(onlyToRead);
    rmSync(folder, { recursive: true });
    expect(stderr).toMatch(/^omni-dev: EBADF[^\n]*\n$/);
    expect(code).toBe(1);
  });

  it('refuse a socket path that is too long and name the limit', async () => {
    const result = await runCommand(['sessions', 'list', '--socket', `/${'x'.repeat(110)}`]);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('104-byte limit');
  });

  it('print the payload as it came with -o json and with --json', async () => {
    daemon.sessions = [{ ...entry('a'), later_key: { deep: [1] } }];
    for (const flag of [['-o', 'json'], ['--json']]) {
      const result = await runCommand(['sessions', 'list', ...flag, '--socket', daemon.socket]);
      expect(JSON.parse(result.stdout)).toEqual({ sessions: daemon.sessions });
    }
  });
});

describe('output to a pipe', () => {
  it('D3: 500 rows of JSON arrive whole at a slow reader', async () => {
    daemon.sessions = Array.from({ length: 500 }, (_, i) =>
      entry(`0000-${i}`, { cwd: `/src/${'long/'.repeat(20)}${i}`, model: 'claude-opus-5-5' }),
    );
    const child = spawn(
      process.execPath,
      [OMNI_DEV, 'sessions', 'list', '-o', 'json', '--socket', daemon.socket],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 20);
    });
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    expect(exitCode).toBe(0);
    expect(JSON.parse(Buffer.concat(chunks).toString()).sessions).toHaveLength(500);
  });

  it('ends in silence when its reader goes away', async () => {
    const child = spawn(process.execPath, [OMNI_DEV, 'sessions', 'watch', '--socket', daemon.socket], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    const closed = new Promise((resolve) => child.on('close', resolve));
    let pushed = 0;
    await until(() => {
      pushed += 1;
      daemon.push([entry(`s${pushed}`)]);
      return child.exitCode !== null;
    });
    await closed;
    expect(errors).toBe('');
  });
});

describe('sessions watch into a pipe', () => {
  it('prints one snapshot per line, says when the daemon is away and goes on when it is back', async () => {
    daemon.sessions = [entry('a', { state: 'working' })];
    const child = spawn(process.execPath, [OMNI_DEV, 'sessions', 'watch', '--socket', daemon.socket], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const states = () =>
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { sessions: { state: string }[] }).sessions[0]?.state);
    await until(() => states().length === 1);
    daemon.push([entry('a', { state: 'waiting_for_input' })]);
    await until(() => states().length === 2);
    await daemon.stop();
    await until(() => errors.includes('reconnecting'));
    daemon.sessions = [entry('a', { state: 'idle' })];
    await daemon.listen();
    await until(() => states().length === 3);
    expect(states()).toEqual(['working', 'waiting_for_input', 'idle']);
    child.kill();
    await new Promise((resolve) => child.on('close', resolve));
  });

  it('asks a daemon that cannot stream for its list instead', async () => {
    daemon.streams = false;
    daemon.sessions = [entry('a', { state: 'working' })];
    const reader = new AbortController();
    const running = runCommand(['sessions', 'watch', '--socket', daemon.socket], {
      readerGone: reader.signal,
    });
    await until(() => daemon.requests.some((request) => request.op === 'list'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    reader.abort();
    expect(JSON.parse((await running).stdout).sessions[0].state).toBe('working');
  });
});

describe('install-hooks and uninstall-hooks', () => {
  it('install for Claude, say what is not here, and take everything out again', async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
    const around = { home, env: { HOME: home, PATH: '/usr/bin:/bin' } };
    const settings = path.join(home, '.claude/settings.json');
    try {
      const installed = await runCommand(['sessions', 'install-hooks'], around);
      expect(installed).toMatchObject({ exitCode: 0, stderr: '' });
      expect(installed.stdout).toContain(`sessions hook event(s) into ${settings}`);
      expect(installed.stdout).toContain('Codex not detected');
      expect(readFileSync(settings, 'utf8')).toContain('sessions hook');
      const again = await runCommand(['sessions', 'install-hooks'], around);
      expect(again.stdout).toContain('(no change)');
      await runCommand(['sessions', 'uninstall-hooks'], around);
      expect(readFileSync(settings, 'utf8')).not.toContain('sessions hook');
      writeFileSync(settings, '{ broken');
      const refused = await runCommand(['sessions', 'install-hooks'], around);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toMatch(/^omni-dev: .*refusing to overwrite it/);
      expect(readFileSync(settings, 'utf8')).toBe('{ broken');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
