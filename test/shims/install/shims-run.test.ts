import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { installPrograms } from '../../../shims/install/install-programs.ts';
import { run } from '../support/bundled.ts';
import { scratchFolder } from '../support/scratch.ts';
import { loseNode, type Machine, ODD, places, shimMachine } from '../support/shim-machine.ts';

/** Many processes are started; a busy machine takes its time for each. */
const SLOW = { timeout: 120_000 };

describe.each(['home', 'o\'hara "q" $x `y` ü漢'])('in the home %j', SLOW, (name) => {
  let on: Machine;
  beforeEach(() => {
    on = shimMachine(name);
  });
  const env = (more: Record<string, string> = {}) => ({ HOME: on.home, PATH: on.barePath, ...more });

  it('C13: the wrapper shim hands command and arguments over untouched', async () => {
    const ran = await run(on.paths.wrapperShim, [on.agent, ...ODD], { env: env(), input: 'bytes' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      program: 'claude-wrap',
      argv: ['--', on.agent, ...ODD],
      text: 'bytes',
      main: path.join(on.folder, 'claude-wrap.cjs'),
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
  });

  it('the command shim runs the sink for a hook', async () => {
    const ran = await run(on.paths.commandShim, ['sessions', 'hook', '--agent', 'codex'], {
      env: env(),
      input: '{}',
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({ program: 'hook', argv: ['--agent', 'codex'], text: '{}' });
  });

  it('the command shim runs everything else by the installation itself', async () => {
    const ran = await run(on.paths.commandShim, ['sessions', 'list', ...ODD], { env: env() });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      program: 'omni-dev',
      argv: ['sessions', 'list', ...ODD],
      main: path.join(on.build.folder, 'omni-dev.cjs'),
    });
  });

  it('without Node the wrapper shim becomes the agent', async () => {
    loseNode(on);
    rmSync(on.paths.commandShim);
    const ran = await run(on.paths.wrapperShim, [on.agent, ...ODD], { env: env({ EXIT_WITH: '7' }) });
    expect(JSON.parse(ran.stdout)).toEqual(ODD);
    expect(ran).toMatchObject({ status: 7, stderr: '' });
  });

  it('without a bundle the wrapper shim becomes the agent', async () => {
    rmSync(on.folder, { recursive: true });
    const ran = await run(on.paths.wrapperShim, [on.agent, ...ODD], { env: env({ EXIT_WITH: '3' }) });
    expect(JSON.parse(ran.stdout)).toEqual(ODD);
    expect(ran).toMatchObject({ status: 3, stderr: '' });
  });
});

describe('a shim', SLOW, () => {
  let on: Machine;
  beforeEach(() => {
    on = shimMachine();
  });
  const env = (more: Record<string, string> = {}) => ({ HOME: on.home, PATH: on.barePath, ...more });
  const wrap = (more: Record<string, string> = {}) =>
    run(on.paths.wrapperShim, [on.agent, 'x'], { env: env(more) });
  const hook = (more: Record<string, string> = {}) =>
    run(on.paths.commandShim, ['sessions', 'hook'], { env: env(more), input: 'x'.repeat(300_000) });

  it('passes the exit status of the wrapper on', async () => {
    expect(await wrap({ EXIT_WITH: '42' })).toMatchObject({ status: 42 });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'is the agent itself for %s',
    async (signal) => {
      rmSync(on.folder, { recursive: true });
      const agent = spawn(on.paths.wrapperShim, ['/bin/sh', '-c', 'echo $$; exec sleep 60'], { env: env() });
      const [pid] = await new Promise<string[]>((done) =>
        agent.stdout.once('data', (b) => done(String(b).split('\n'))),
      );
      expect(Number(pid)).toBe(agent.pid);
      const ended = new Promise((done) => agent.once('exit', (_, by) => done(by)));
      agent.kill(signal);
      expect(await ended).toBe(signal);
    },
  );

  it('changes no variable of the agent that means something', async () => {
    rmSync(on.folder, { recursive: true });
    const given = env({ n: '1', p: '2', c: '3', node: '4', place: '5', NODE_OPTIONS: '--no-warnings' });
    const ran = await run(on.paths.wrapperShim, ['env'], { env: given });
    const seen = Object.fromEntries(
      ran.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
    for (const own of ['PWD', 'OLDPWD', '_', 'SHLVL']) delete seen[own];
    expect(seen).toEqual(given);
  });

  it('says nothing and succeeds when a hook finds no Node', async () => {
    loseNode(on);
    expect(await hook()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('says nothing and succeeds when a hook finds no bundle', async () => {
    rmSync(on.folder, { recursive: true });
    expect(await hook()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('keeps variables that change Node away from the sink', async () => {
    const ran = await hook({ NODE_OPTIONS: '--no-such-option', NODE_EXTRA_CA_CERTS: '/nowhere' });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ program: 'hook' });
  });

  it('looks for another Node in the usual places when its own is gone', async () => {
    loseNode(on);
    const versions = path.join(on.home, '.nvm', 'versions', 'node');
    for (const version of ['v8.17.0', 'v18.20.0', 'v22.3.0']) {
      mkdirSync(path.join(versions, version, 'bin'), { recursive: true });
      const node = path.join(versions, version, 'bin', 'node');
      const answer = `case $1 in --version) echo ${version};; *) exec ${process.execPath} "$@";; esac`;
      writeFileSync(node, version === 'v22.3.0' ? `#!/bin/sh\n${answer}\n` : '#!/bin/sh\nexit 9\n', {
        mode: 0o755,
      });
    }
    expect(JSON.parse((await wrap()).stdout)).toMatchObject({ program: 'claude-wrap' });
    expect(JSON.parse((await hook()).stdout)).toMatchObject({ program: 'hook' });
  });

  it('takes no Node from PATH that is too old or does not run', async () => {
    loseNode(on);
    const folder = scratchFolder();
    symlinkSync('/bin/cat', path.join(folder, 'cat'));
    for (const answer of ['echo v18.20.0', 'echo v8.1.0', 'echo nonsense', 'exit 1', 'kill -9 $$']) {
      writeFileSync(path.join(folder, 'node'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
      const ran = await run(on.paths.wrapperShim, [on.agent, 'x'], { env: env({ PATH: folder }) });
      expect(ran).toEqual({ status: 0, stdout: '["x"]', stderr: '' });
    }
  });

  it('takes no folder and no plain file for a Node', async () => {
    const own = { path: path.join(on.home, 'node-here'), version: '22.0.0', isElectron: false };
    installPrograms({
      paths: on.paths,
      builtIn: on.build.folder,
      wrapperShim: on.paths.wrapperShim,
      own,
      places,
    });
    mkdirSync(own.path);
    expect((await wrap()).stdout).toBe('["x"]');
    rmSync(own.path, { recursive: true });
    writeFileSync(own.path, '');
    chmodSync(own.path, 0o644);
    expect((await wrap()).stdout).toBe('["x"]');
  });

  it('runs the copy of the command line when the installation is gone', async () => {
    rmSync(on.build.folder, { recursive: true });
    const ran = await run(on.paths.commandShim, ['doctor'], { env: env() });
    expect(JSON.parse(ran.stdout)).toMatchObject({ program: 'omni-dev', argv: ['doctor'] });
  });

  it('says what is gone when the copy is gone too', async () => {
    rmSync(on.build.folder, { recursive: true });
    unlinkSync(path.join(on.folder, 'omni-dev.cjs'));
    const ran = await run(on.paths.commandShim, ['doctor'], { env: env() });
    expect(ran.status).toBe(127);
    expect(ran.stderr).toContain(path.join(on.build.folder, 'omni-dev.cjs'));
    expect(ran.stderr).toContain('omni-dev setup');
  });

  it('lets codex run when its wrapper cannot', async () => {
    unlinkSync(path.join(on.folder, 'codex-wrap.cjs'));
    for (const args of [
      ['--', on.agent, 'x'],
      ['--socket', '/s', on.agent, 'x'],
      ['--pty', '--', on.agent, 'x'],
    ]) {
      const ran = await run(on.paths.commandShim, ['codex-wrap', ...args], { env: env() });
      expect(ran).toEqual({ status: 0, stdout: '["x"]', stderr: '' });
    }
    const none = await run(on.paths.commandShim, ['codex-wrap'], { env: env() });
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('no command') });
  });

  it('runs the daemon from its copy, and asks the command line for help', async () => {
    const daemon = await run(on.paths.commandShim, ['daemon', 'run', '--socket', '/s'], { env: env() });
    expect(JSON.parse(daemon.stdout)).toMatchObject({ program: 'daemon', argv: ['--socket', '/s'] });
    for (const words of [['daemon', 'run'], ['sessions', 'hook'], ['claude-wrap']]) {
      const help = await run(on.paths.commandShim, [...words, '--help'], { env: env() });
      expect(JSON.parse(help.stdout)).toMatchObject({ program: 'omni-dev', argv: [...words, '--help'] });
    }
  });
});

describe.each(
  [
    ['dash', '/bin/dash'],
    ['bash', '/bin/bash --posix'],
    ['busybox', '/bin/busybox sh'],
  ].filter(([, shell]) => existsSync(shell?.split(' ')[0] ?? '')),
)('under %s as the shell', SLOW, (_, shell = '') => {
  it('the shims do the same', async () => {
    const on = shimMachine();
    const [program = '', ...options] = shell.split(' ');
    const env = { HOME: on.home, PATH: on.barePath };
    const asShell = (text: string) => text.replace('exec "/bin/sh" -c', `exec ${shell} -c`);
    const wrapper = path.join(on.home, 'wrapper');
    const rewrite = () => writeFileSync(wrapper, asShell(readFileSync(on.paths.wrapperShim, 'utf8')));
    const wrap = () => run(program, [...options, wrapper, on.agent, ...ODD], { env });
    const hook = () =>
      run(program, [...options, on.paths.commandShim, 'sessions', 'hook'], { env, input: '{}' });

    rewrite();
    expect(JSON.parse((await wrap()).stdout)).toMatchObject({ argv: ['--', on.agent, ...ODD] });
    expect(JSON.parse((await hook()).stdout)).toMatchObject({ program: 'hook', text: '{}' });
    loseNode(on);
    rewrite();
    const without = await wrap();
    expect({ ...without, stdout: JSON.parse(without.stdout) }).toEqual({
      status: 0,
      stdout: ODD,
      stderr: '',
    });
    expect(await hook()).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
