import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { claudeWrapProgram } from './support/program.ts';

let dir: string;
let terminal: IPty | undefined;
let screen: string;
let exitCode: number | undefined;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-terminal-'));
  screen = '';
  exitCode = undefined;
});

afterEach(() => {
  if (exitCode === undefined) terminal?.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function run(file: string, args: string[]): IPty {
  const started = spawn(file, args, { env: { ...process.env, HOME: dir, PS1: 'prompt> ' }, cols: 200 });
  started.onData((data) => {
    screen += data;
  });
  started.onExit((exit) => {
    exitCode = exit.exitCode;
  });
  terminal = started;
  return started;
}

/** The wrapper on a terminal around a shell script. */
const wrapped = (script: string) => run(process.execPath, [claudeWrapProgram, '--', 'sh', '-c', script]);

const shows = (text: string) =>
  until(
    () => screen.includes(text),
    () => `${JSON.stringify(text)} is not in ${JSON.stringify(screen)}`,
  );

const leaves = async () => {
  await until(
    () => exitCode !== undefined,
    () => `still running: ${JSON.stringify(screen)}`,
  );
  return exitCode;
};

describe('claude-wrap on a terminal gets out of the way', () => {
  it('the child has the terminal on all three, and its status is kept', async () => {
    wrapped('test -t 0 && test -t 1 && test -t 2 && echo all three; exit 3');
    await shows('all three');
    expect(await leaves()).toBe(3);
  });

  it('an interrupt reaches the child once and leaves us there', async () => {
    const { write } = bound(
      wrapped('trap "echo caught" INT; echo ready; sleep 1; sleep 1; echo done; exit 4'),
    );
    await shows('ready');
    write('\u0003');
    await shows('done');
    expect(screen.match(/caught/g)).toHaveLength(1);
    expect(await leaves()).toBe(4);
  });

  it('a child that a signal ends is mirrored', async () => {
    wrapped('kill -TERM $$');
    expect(await leaves()).toBe(143);
  });

  it('a command that is not there is said so, with the status of a shell', async () => {
    run(process.execPath, [claudeWrapProgram, '--', path.join(dir, 'missing')]);
    await shows('failed to spawn');
    expect(await leaves()).toBe(127);
  });
});

describe.runIf(process.platform === 'linux')('job control around claude-wrap', () => {
  const wrapper = `"${process.execPath}" "${claudeWrapProgram}" -- sh -c`;

  function shell(): (text: string) => void {
    const { write } = bound(run('bash', ['--norc', '--noprofile', '-i']));
    return (line) => write(`${line}\r`);
  }

  it('a stop from the keyboard gives the prompt back, and the job goes on in the foreground', async () => {
    const type = shell();
    await shows('prompt> ');
    type(`${wrapper} 'echo up-$((1+1)); sleep 600'`);
    await shows('up-2');
    terminal?.write('\u001a');
    await shows('Stopped');
    type('fg');
    await until(() => screen.split('sleep 600').length > 3);
    terminal?.write('\u0003');
    type('echo over-$((1+2))');
    await shows('over-3');
    type('exit');
    await leaves();
  });

  it('a child that stops itself stops us with it, so that the shell has the prompt', async () => {
    const type = shell();
    await shows('prompt> ');
    type(`${wrapper} 'kill -STOP $$; echo resumed-$((2+2))'`);
    await shows('Stopped');
    type('fg');
    await shows('resumed-4');
    type('exit');
    await leaves();
  });
});

function bound(pty: IPty): { write: (data: string) => void } {
  return { write: (data) => pty.write(data) };
}
