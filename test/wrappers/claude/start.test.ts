import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransportError } from '../../../contract/client.ts';
import { autostartIsOff, isAbsence, sendAndStartWhenAbsent } from '../../../wrappers/shared/daemon-start.ts';
import { until } from '../../support/until.ts';
import { claudeWrapProgram } from './support/program.ts';
import { init } from './support/stream-lines.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-start-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the wrapper to its end. */
function wrap(
  argv: string[],
  options: { program?: string; env?: Record<string, string>; input?: string } = {},
) {
  return spawnSync(process.execPath, [options.program ?? claudeWrapProgram, ...argv], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, HOME: dir, OMNI_DEV_NO_AUTOSTART: '1', ...options.env },
  });
}

describe('claude-wrap', () => {
  it('says how it is used when there is nothing to run', () => {
    const { status, stderr, stdout } = wrap(['--']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^claude-wrap needs a command to run, /);
    expect(stdout).toBe('');
  });

  it('leaves with 127 when there is no such command, and with 126 when it cannot be run', () => {
    const missing = wrap(['--', path.join(dir, 'missing\u0007')]);
    expect(missing.status).toBe(127);
    expect(missing.stderr).toContain('failed to spawn');
    expect(missing.stderr).not.toContain('\u0007');
    writeFileSync(path.join(dir, 'plain'), 'text', { mode: 0o644 });
    expect(wrap(['--', path.join(dir, 'plain')]).status).toBe(126);
  });

  it('hands on arguments, environment, folder and stderr as they are', () => {
    const script = 'printf "%s|" "$@" "$ODD_VALUE" "$PWD"; echo warned >&2';
    const { stdout, stderr } = wrap(['--', 'sh', '-c', script, 'sh', 'a b', '', '--', '€'], {
      env: { ODD_VALUE: ' x=y ' },
    });
    expect(stdout).toBe(`a b||--|€| x=y |${process.cwd()}|`);
    expect(stderr).toBe('warned\n');
  });

  it('adds nothing to the environment and takes nothing away', () => {
    const script = 'process.stdout.write(JSON.stringify(Object.keys(process.env).sort()))';
    const { stdout } = wrap(['--', process.execPath, '-e', script], { env: { CLAUDE_CODE_X: '1' } });
    const own = { ...process.env, HOME: dir, OMNI_DEV_NO_AUTOSTART: '1', CLAUDE_CODE_X: '1' };
    expect(JSON.parse(stdout)).toEqual(Object.keys(own).sort());
  });

  it('keeps the child in its own process group', () => {
    const script = 'ps -o pgid= -p $$; ps -o pgid= -p $PPID';
    const [child, wrapper] = wrap(['--', 'sh', '-c', script]).stdout.trim().split(/\s+/);
    expect(child).toBe(wrapper);
  });

  it('works between files as between pipes', () => {
    const output = path.join(dir, 'out');
    const input = path.join(dir, 'in');
    writeFileSync(input, 'through\n');
    const command = `"${process.execPath}" "${claudeWrapProgram}" -- cat <"${input}" >"${output}"`;
    const { status } = spawnSync('sh', ['-c', command], { env: { ...process.env, HOME: dir } });
    expect(status).toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('through\n');
  });

  it.each([
    ['a pipe of its own', '2>&1 >/dev/null |'],
    ['the same pipe as stdout', '2>&1 |'],
  ])('leaves stderr as it is for the child: %s', (_what, redirection) => {
    // Sockets come and go in the wrapper before the child writes more than a pipe holds to a reader that is slow.
    const script = `setTimeout(() => require('fs').writeSync(2, 'x'.repeat(1e6)), 500)`;
    const wrapper = `"${process.execPath}" "${claudeWrapProgram}" --socket "${dir}/none" --`;
    const child = `sh -c 'echo "$1"; exec "$2" -e "$3"' sh '${init.trim()}' "${process.execPath}" "${script}"`;
    const { stdout } = spawnSync('sh', ['-c', `${wrapper} ${child} ${redirection} (sleep 2; cat)`], {
      encoding: 'utf8',
      env: { ...process.env, HOME: dir, OMNI_DEV_NO_AUTOSTART: '1' },
    });
    expect(stdout.match(/x+$/)?.[0]).toHaveLength(1e6);
  });
});

describe('a daemon that is not there', () => {
  const failure = (code: string) =>
    new TransportError('DAEMON_UNREACHABLE', 'x', { cause: Object.assign(new Error('x'), { code }) });

  it.each([
    ['ENOENT', true],
    ['ECONNREFUSED', true],
    ['EACCES', false],
    ['ECONNRESET', false],
  ])('%s means absent: %s', (code, absent) => expect(isAbsence(failure(code))).toBe(absent));

  it('a slow daemon is there', () =>
    expect(isAbsence(new TransportError('DAEMON_TIMEOUT', 'x'))).toBe(false));

  it('is started once, and the request still fails', async () => {
    let started = 0;
    const send = sendAndStartWhenAbsent(
      () => {
        started += 1;
      },
      async () => {
        throw failure('ENOENT');
      },
    );
    for (let i = 0; i < 3; i += 1) await expect(send('/s', { op: 'ping' })).rejects.toThrow(TransportError);
    expect(started).toBe(1);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['0', false],
    ['false', false],
    ['1', true],
    ['true', true],
  ])('OMNI_DEV_NO_AUTOSTART=%s switches that off: %s', (value, off) => {
    expect(autostartIsOff({ OMNI_DEV_NO_AUTOSTART: value })).toBe(off);
  });

  /** The wrapper with a stand-in for the daemon beside it, which writes down how it was started. */
  function installBesideStandIn(): { program: string; notes: string } {
    const program = path.join(dir, 'claude-wrap.cjs');
    const notes = path.join(dir, 'started.json');
    copyFileSync(claudeWrapProgram, program);
    const note = `fs.writeFileSync(${JSON.stringify(notes)}, JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd() }))`;
    writeFileSync(path.join(dir, 'daemon.cjs'), `const fs = require('node:fs'); ${note};`);
    return { program, notes };
  }

  it('is started by the real wrapper, beside the child, for the same socket', async () => {
    const { program, notes } = installBesideStandIn();
    const socket = path.join(dir, 'd.sock');
    const { status, stdout } = wrap(['--socket', socket, '--', 'cat'], {
      program,
      input: init,
      env: { OMNI_DEV_NO_AUTOSTART: '' },
    });
    expect([status, stdout]).toEqual([0, init]);
    await until(() => readOr(notes) !== '');
    expect(JSON.parse(readOr(notes))).toEqual({ argv: ['run', '--socket', socket], cwd: '/' });
  });

  it('is not started without a session to report, nor when that is switched off', () => {
    const { program, notes } = installBesideStandIn();
    wrap(['--', 'true'], { program, env: { OMNI_DEV_NO_AUTOSTART: '' } });
    wrap(['--', 'cat'], { program, input: init });
    expect(readOr(notes)).toBe('');
  });
});

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
