import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER } from '../../../shims/install/launcher.ts';
import { run } from '../support/bundled.ts';
import { type Machine, ODD, shimMachine } from '../support/shim-machine.ts';

describe('the launcher, when Node runs but the program cannot', { timeout: 120_000 }, () => {
  let on: Machine;
  beforeEach(() => {
    on = shimMachine();
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
