import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { installPrograms } from '../../../shims/install/install-programs.ts';
import { LAUNCHER } from '../../../shims/install/launcher.ts';
import { NODE_PLACES, type NodePlaces } from '../../../shims/install/node-places.ts';
import { run } from '../support/bundled.ts';
import { type FakeBuild, fakeBuild } from '../support/fake-build.ts';
import { type ThrowAwayHome, throwAwayHome } from '../support/home.ts';
import { scratchFolder } from '../support/scratch.ts';

const ODD = ['', ' ', 'two words', "it's", '"quoted"', '$HOME', '`x`', 'a\nb', '*', '--', '-x', '\\', 'ü 漢'];
/** An agent that prints its arguments as JSON, and ends as it is told to. */
const AGENT = `#!/bin/sh
exec ${process.execPath} -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)));process.exitCode=Number(process.env.EXIT_WITH??0)' -- "$@"
`;

interface Machine extends ThrowAwayHome {
  build: FakeBuild;
  /** Folder of the bundles the shims run. */
  folder: string;
  agent: string;
  /** A PATH on which no Node is. */
  barePath: string;
}

/** The places under the home alone: this machine's own Node must not be found. */
const places: NodePlaces = {
  fixed: NODE_PLACES.fixed.filter((place) => place.startsWith('"$HOME')),
  versioned: NODE_PLACES.versioned,
  ofEditors: NODE_PLACES.ofEditors,
};

/** PATH with the few tools that the shims use, and nothing else. */
function pathWithoutNode(): string {
  const folder = scratchFolder();
  for (const tool of ['cat', 'env', 'sleep']) symlinkSync(`/bin/${tool}`, path.join(folder, tool));
  return folder;
}

function machine(name = 'home'): Machine {
  const user = throwAwayHome(name);
  const build = fakeBuild();
  const options = { paths: user.paths, builtIn: build.folder, wrapperShim: user.paths.wrapperShim, places };
  const own = { path: process.execPath, version: process.versions.node, isElectron: false };
  const { folder } = installPrograms({ ...options, own });
  const agent = path.join(user.home, 'agent');
  writeFileSync(agent, AGENT, { mode: 0o755 });
  return { ...user, build, folder, agent, barePath: pathWithoutNode() };
}

/** Makes the Node of the installation disappear, as a version manager does. */
function loseNode(on: Machine): void {
  const own = { path: path.join(on.home, 'gone', 'node'), version: '22.0.0', isElectron: false };
  installPrograms({
    paths: on.paths,
    builtIn: on.build.folder,
    wrapperShim: on.paths.wrapperShim,
    own,
    places,
  });
}

describe.each(['home', 'o\'hara "q" $x `y` ü漢'])('in the home %j', (name) => {
  let on: Machine;
  beforeEach(() => {
    on = machine(name);
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

describe('a shim', () => {
  let on: Machine;
  beforeEach(() => {
    on = machine();
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

describe('the launcher, when Node runs but the program cannot', () => {
  let on: Machine;
  beforeEach(() => {
    on = machine();
  });
  const launch = (args: string[], options = {}) =>
    run(process.execPath, [path.join(on.folder, LAUNCHER), ...args], options);
  const breakBundle = (name: string, text: string) =>
    writeFileSync(path.join(on.folder, `${name}.cjs`), text);
  /** A Node that calls itself too old. */
  const asOldNode = (args: string[]) => {
    const lie = path.join(on.home, 'old.cjs');
    writeFileSync(lie, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' });");
    return run(process.execPath, ['--require', lie, path.join(on.folder, LAUNCHER), ...args], { input: 'x' });
  };

  it.each([
    ['cut short', 'exports.run = () => {'],
    ['something else', 'exports.walk = 1;'],
    ['broken while it loads', 'throw new Error("no");'],
  ])('runs the agent: the bundle is %s', async (_, text) => {
    breakBundle('claude-wrap', text);
    const ran = await launch(['claude-wrap', '--', on.agent, ...ODD], {
      env: { ...process.env, EXIT_WITH: '5' },
    });
    expect(JSON.parse(ran.stdout)).toEqual(ODD);
    expect(ran).toMatchObject({ status: 5, stderr: '' });
    breakBundle('hook', text);
    expect(await launch(['hook'], { input: 'x' })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('runs the agent under a Node that is too old', async () => {
    expect(await asOldNode(['claude-wrap', '--', on.agent, 'x'])).toEqual({
      status: 0,
      stdout: '["x"]',
      stderr: '',
    });
    expect(await asOldNode(['hook'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('mirrors a signal that ends the agent, and passes ours on', async () => {
    breakBundle('claude-wrap', '');
    expect((await launch(['claude-wrap', '--', '/bin/sh', '-c', 'kill -9 $$'])).status).toBe(137);
    const args = [
      path.join(on.folder, LAUNCHER),
      'claude-wrap',
      '--',
      '/bin/sh',
      '-c',
      'echo up; exec sleep 60',
    ];
    const child = spawn(process.execPath, args);
    await new Promise((done) => child.stdout.once('data', done));
    const ended = new Promise((done) => child.once('exit', (code) => done(code)));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });

  it('names a command that does not exist', async () => {
    breakBundle('claude-wrap', '');
    const ran = await launch(['claude-wrap', '--', '/nowhere/claude']);
    expect(ran).toMatchObject({ status: 127, stderr: expect.stringContaining('/nowhere/claude') });
  });
});
