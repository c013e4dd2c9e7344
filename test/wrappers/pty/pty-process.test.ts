import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { PtyLauncher, type PtyProcess } from '../../../wrappers/pty/pty-process.ts';
import { belowLeader } from '../../../wrappers/pty/session-leader.ts';
import { exitCodeOf } from '../../../wrappers/shared/exit-status.ts';
import { until } from '../../support/until.ts';

const launcher = new PtyLauncher(createRequire(import.meta.url).resolve('@lydell/node-pty'));
/** Only there does anything stand above the program. */
const HAS_DASH = process.platform === 'linux' && existsSync('/bin/dash');
const SIZE = { columns: 90, rows: 20 };
const start = (script: string, env: NodeJS.ProcessEnv = process.env) =>
  launcher.start('sh', ['-c', script], SIZE, env);

/** Everything that a program writes until it has ended, and its status. */
async function outcomeOf(program: PtyProcess): Promise<{ text: string; code: number }> {
  const chunks: Buffer[] = [];
  program.stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = await program.exited;
  const rest = program.takeRest();
  if (rest === undefined) await program.drained;
  else chunks.push(...rest);
  program.stream.destroy();
  return { text: Buffer.concat(chunks).toString('latin1'), code: exitCodeOf(end) };
}

describe('a program on a pseudo-terminal', () => {
  it('D8: has written everything when it has ended, a hundred times', async () => {
    for (let run = 0; run < 100; run += 1) {
      const { text, code } = await outcomeOf(start('head -c 20000 /dev/zero | tr "\\0" x; exit 5'));
      expect([text.length, code]).toEqual([20_000, 5]);
    }
  });

  it('D10: that has ended is neither resized nor signalled, and says nothing about it', async () => {
    const program = start('exit 0');
    await outcomeOf(program);
    program.resize({ columns: 50, rows: 10 });
    program.kill('SIGTERM');
    program.goOn();
  });

  it('has its size from the start and is told when it changes', async () => {
    const program = start('trap "stty size; exit" WINCH; stty size; while :; do sleep 0.1; done');
    const outcome = outcomeOf(program);
    program.stream.once('data', () => program.resize({ columns: 70, rows: 33 }));
    expect((await outcome).text).toBe('20 90\r\n33 70\r\n');
  });

  it.each([
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
    ['exit 255', 255],
    ['exit 148', 148],
  ])('%s: its status is that of a shell', async (script, code) => {
    expect((await outcomeOf(start(script))).code).toBe(code);
  });

  it('is signalled itself, not what stands above it', async () => {
    const program = start('trap "echo told; exit 4" TERM; echo ready; while :; do sleep 0.1; done');
    const outcome = outcomeOf(program);
    program.stream.once('data', () => program.kill('SIGTERM'));
    expect(await outcome).toEqual({ text: 'ready\r\ntold\r\n', code: 4 });
  });

  it('has the environment as it is, whatever its names are', async () => {
    const own = {
      PATH: process.env.PATH,
      'a name with blanks': 'x',
      'npm_config_//r/:_token': 'y',
      EMPTY: '',
    };
    for (const env of [own, { PATH: process.env.PATH, LONG: 'z'.repeat(10_000), EMPTY: '' }]) {
      const script = 'process.stdout.write(JSON.stringify(process.env))';
      const { text } = await outcomeOf(launcher.start(process.execPath, ['-e', script], SIZE, env));
      const { PWD: _, OLDPWD: __, ...seen } = JSON.parse(text);
      expect(seen).toEqual(env);
    }
  });

  it('is found and named as a plain start would, no word of a shell among them', async () => {
    const { text } = await outcomeOf(launcher.start('echo', ['-n', '$HOME *', '"', ''], SIZE));
    expect(text).toBe('$HOME * " ');
  });
});

describe('what stands above it', () => {
  it('is nothing where it would change the environment, or stops cannot be shared', () => {
    expect(belowLeader(['x'], { 'BASH_FUNC_f%%': '() {' }, 'linux')).toBeUndefined();
    expect(belowLeader(['x'], { IFS: 'x' }, 'linux')).toBeUndefined();
    expect(belowLeader(['x'], { HOME: '/' }, 'darwin')).toBeUndefined();
    const below = belowLeader(['x', 'y'], { HOME: '/' }, 'linux');
    if (HAS_DASH) expect(below?.slice(-2)).toEqual(['x', 'y']);
    else expect(below).toBeUndefined();
  });

  it.runIf(HAS_DASH)('ends with the terminal, and so does the program', async () => {
    const program = start('echo ready; sleep 300');
    await new Promise((resolve) => program.stream.once('data', resolve));
    const { programPid } = program;
    expect(programPid).not.toBe(program.pid);
    program.stream.destroy();
    await program.exited;
    await until(() => !isAlive(programPid));
  });
});

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
