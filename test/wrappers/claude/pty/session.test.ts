import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { claudeWrapProgram } from '../support/program.ts';

let dir: string;
let terminal: IPty;
let screen: string;
let exitCode: number | undefined;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-pty-'));
  screen = '';
  exitCode = undefined;
});

afterEach(() => {
  if (exitCode === undefined) terminal.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function run(file: string, args: string[], env: Record<string, string> = {}): void {
  const started = spawn(file, args, {
    env: { ...process.env, HOME: dir, PS1: 'prompt> ', OMNI_DEV_NO_AUTOSTART: '1', ...env },
    cols: 100,
    rows: 30,
  });
  terminal = started;
  // A terminal of an earlier test may still have something to say.
  started.onData((data) => {
    if (terminal === started) screen += data;
  });
  started.onExit((exit) => {
    if (terminal === started) exitCode = exit.exitCode;
  });
}

/** A shell that runs the wrapper around a script, then says how the terminal is; the wrapper's pid is in `$HOME/pid`. */
const insideShell = (script: string, after = 'stty -a') =>
  run('bash', [
    '--norc',
    '--noprofile',
    '-c',
    `stty -a; sh -c 'echo $$ >"$HOME/pid"; exec "$@"' x "$@"; echo "status=$?"; ${after}; sleep 0.5`,
    'x',
    ...words(script),
  ]);

const words = (script: string) => [process.execPath, claudeWrapProgram, '--pty', '--', 'sh', '-c', script];
const wrapped = (script: string) => run(process.execPath, words(script).slice(1));
const node = (script: string) =>
  run(process.execPath, [claudeWrapProgram, '--pty', '--', process.execPath, '-e', script]);

const shows = (text: string) =>
  until(
    () => screen.includes(text),
    () => `${JSON.stringify(text)} is not in ${JSON.stringify(screen.slice(-2_000))}`,
  );

const leaves = async () => {
  await until(
    () => exitCode !== undefined,
    () => `still running: ${JSON.stringify(screen.slice(-2_000))}`,
  );
  return exitCode;
};

/** Waits until the wrapper has taken the terminal again: what is typed earlier is the shell's. */
const pauseUntilRaw = () =>
  until(
    () => readFileSync(`/proc/${terminal.pid}/stat`, 'latin1').split(' ')[7] !== `${terminal.pid}`,
    () => 'the shell has kept the terminal',
  );

/** The modes of the terminal, as `stty -a` printed them before and after. */
function modesPrinted(): string[] {
  return screen
    .split(/(?=speed )/)
    .filter((part) => part.startsWith('speed '))
    .map((part) => /-?isig .*/.exec(part)?.[0] ?? '');
}

describe('a program under claude-wrap --pty', () => {
  it('has a terminal of the same size, and its status is kept', async () => {
    wrapped('test -t 0 && test -t 1 && test -t 2 && stty size; exit 3');
    await shows('30 100');
    expect(await leaves()).toBe(3);
  });

  it('that a signal ends is mirrored', async () => {
    wrapped('kill -TERM $$');
    expect(await leaves()).toBe(143);
  });

  it('that is not there is said so, with the status of a shell', async () => {
    run(process.execPath, [claudeWrapProgram, '--pty', '--', path.join(dir, 'missing')]);
    await shows('failed to spawn');
    expect(await leaves()).toBe(127);
  });

  it('gets the keys as they are typed, an interrupt as its terminal makes it', async () => {
    wrapped('trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.1; done');
    await shows('ready');
    terminal.write('\u0003');
    await shows('caught');
    expect(await leaves()).toBe(5);
  });

  it('follows the size of the window', async () => {
    wrapped('trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.1; done');
    await shows('ready');
    terminal.resize(77, 22);
    await shows('22 77');
    await leaves();
  });

  it('asked for program status is answered, and the terminal is told nothing that it does not know', async () => {
    node(
      `process.stdin.setRawMode(true);
       process.stdin.once('data', (d) => {
         process.stdout.write('answer ' + JSON.stringify(String(d)) + '\\x1b]7501;state=idle:app=claude-code\\x07\\x1b]0;Claude Code\\x07 over');
         setTimeout(() => process.exit(), 300);
       });
       process.stdout.write('\\x1b]0;✳ Claude Code\\x07\\x1b]7501;?\\x07');`,
    );
    await shows(' over');
    expect(screen).toContain(`answer ${JSON.stringify('\x1b]7501;?\x1b\\')}`);
    expect(screen).not.toContain('state=idle');
    expect(screen).toContain('\x1b]0;✳ Claude Code\x07 over');
    await leaves();
  });

  it('in a terminal that answers itself: everything passes, and one answer arrives', async () => {
    node(
      `process.stdin.setRawMode(true);
       let got = '';
       process.stdin.on('data', (d) => { got += d; if (got.includes('q')) {
         process.stdout.write('\\x1b]7501;state=working:app=claude-code\\x07got ' + got.split('7501').length + ' over');
         setTimeout(() => process.exit(), 300);
       } });
       process.stdout.write('\\x1b]7501;?\\x07\\x1b]7501;state=idle:app=claude-code\\x07ready');`,
    );
    await shows('ready');
    expect(screen).not.toContain('state=idle');
    terminal.write('\x1b]7501;?\x1b\\');
    terminal.write('q');
    await shows(' over');
    expect(screen).toContain('got 2 over');
    expect(screen).toContain('state=idle');
    expect(screen).toContain('state=working');
    await leaves();
  });
});

describe('D8: all output is delivered before the exit', () => {
  it('of a program that prints 20 KB and leaves at once, each time', async () => {
    const loop = 'i=0; while [ $i -lt 15 ]; do "$@"; i=$((i+1)); done; echo all-$((1+1))';
    const script = 'head -c 20000 /dev/zero | tr "\\0" x; echo "END"';
    run('bash', ['--norc', '--noprofile', '-c', `${loop}; sleep 0.5`, 'x', ...words(script)]);
    await until(
      () => screen.includes('all-2'),
      () => `stopped after ${screen.split('END').length - 1}`,
      110_000,
    );
    const lengths = new Set(
      screen
        .split('END\r\n')
        .slice(0, 15)
        .map((part) => part.length),
    );
    expect(lengths).toEqual(new Set([20_000]));
  }, 120_000);
});

describe('D10: a window that is resized when the program leaves', () => {
  it('changes neither status nor anything else', async () => {
    wrapped('echo bye; exit 4');
    const timer = setInterval(() => {
      try {
        terminal.resize(60 + Math.floor(Math.random() * 40), 20);
      } catch {
        // The test's own terminal is gone.
      }
    }, 1);
    const code = await leaves().finally(() => clearInterval(timer));
    expect(code).toBe(4);
    expect(screen).toContain('bye');
    expect(screen).not.toMatch(/Error|EBADF/);
  });
});

describe('D11: a large paste while the program sleeps', () => {
  it('arrives in order, with nothing lost', async () => {
    node(
      `const { createHash } = require('node:crypto');
       process.stdin.setRawMode(true);
       process.stdout.write('ready');
       setTimeout(() => {
         const hash = createHash('sha256');
         let n = 0;
         process.stdin.on('data', (d) => {
           n += d.length; hash.update(d);
           if (n >= 200_000) { console.log('sum ' + n + ' ' + hash.digest('hex')); process.exit(); }
         });
       }, 1500);`,
    );
    await shows('ready');
    const paste =
      `\x1b[200~${Array.from({ length: 20_000 }, (_, i) => `${i}`.padStart(9, '.')).join('\n')}`.slice(
        0,
        199_994,
      );
    const text = `${paste}\x1b[201~`;
    terminal.write(text);
    await shows('sum ');
    await leaves();
    expect(screen).toContain(`sum 200000 ${createHash('sha256').update(text).digest('hex')}`);
  });
});

describe.runIf(process.platform === 'linux')('D12: a terminal that takes nothing', () => {
  const bytesRead = () =>
    Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${terminal.pid}/io`, 'latin1'))?.[1]);
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('holds the program back, and nothing is lost', async () => {
    wrapped('head -c 4000000 /dev/zero | tr "\\0" y; echo; echo END; sleep 1');
    await shows('yyyy');
    terminal.pause();
    await pause(1_500);
    const early = bytesRead();
    await pause(1_000);
    expect(bytesRead() - early).toBeLessThan(10_000);
    terminal.resume();
    await shows('END');
    expect(screen.replaceAll(/[^y]/g, '').length).toBe(4_000_000);
    await leaves();
  });
});

describe('D13: the terminal is put back', () => {
  const switchOn = "printf '\\033[?1049h\\033[?25l\\033[>1u\\033[?2004h'; stty raw -echo;";

  it.each([
    ['the program leaves by itself', 'stty raw -echo; exit 0', '0'],
    ['the program is killed', `${switchOn} kill -KILL $$`, '137'],
    ['we are told to leave', `${switchOn} kill -TERM $(cat $HOME/pid); sleep 5`, '143'],
    ['we are told to hang up', `${switchOn} kill -HUP $(cat $HOME/pid); sleep 5`, '129'],
  ])('when %s', async (_what, script, status) => {
    insideShell(script);
    await shows(`status=${status}`);
    await leaves();
    const [before, after] = modesPrinted();
    expect(before).toMatch(/^isig icanon/);
    expect(after).toBe(before);
    if (script.startsWith(switchOn)) expect(screen).toContain('\x1b[<1u\x1b[?1049l\x1b[?25h\x1b[?2004l');
  });

  /** An interactive shell that runs the wrapper around a script as a job of its own. */
  const asJob = async (script: string) => {
    run('bash', ['--norc', '--noprofile', '-i']);
    await shows('prompt> ');
    const line = words('')
      .slice(0, -1)
      .map((word) => `"${word}"`)
      .join(' ');
    terminal.write(`${line} '${script}'\r`);
  };

  it('when the program stops itself, and taken again when it goes on', async () => {
    await asJob('echo up-$((1+1)); kill -STOP $$; echo again-$((2+2)); read x; echo got-$x');
    await shows('Stopped');
    terminal.write('stty -a; fg\r');
    await shows('again-4');
    expect(modesPrinted().at(-1)).toMatch(/^isig icanon/);
    terminal.write('yes\r');
    await shows('got-yes');
    terminal.write('exit\r');
    await leaves();
  });

  it.runIf(process.platform === 'linux')('when the stop key stops it, twice', async () => {
    await asJob('echo up-$((1+1)); read x; echo got-$x; read y; echo got-$y; exit 9');
    await shows('up-2');
    for (const [turn, key] of ['one', 'two'].entries()) {
      terminal.write('\u001a');
      await until(
        () => screen.split('Stopped').length === turn + 2,
        () => `not stopped: ${JSON.stringify(screen.slice(-2_000))}`,
      );
      terminal.write('stty -a; fg\r');
      await until(() => modesPrinted().length === turn + 1);
      expect(modesPrinted().at(-1)).toMatch(/^isig icanon/);
      await pauseUntilRaw();
      terminal.write(`${key}\r`);
      await shows(`got-${key}`);
    }
    terminal.write('echo status=$?; exit\r');
    await shows('status=9');
    await leaves();
  });

  it.runIf(process.platform === 'linux')('and a stop key where no shell waits stops nothing', async () => {
    wrapped('echo up-$((1+1)); read x; echo got-$x; exit 9');
    await shows('up-2');
    terminal.write('\u001a');
    terminal.write('one\r');
    await shows('got-one');
    expect(await leaves()).toBe(9);
  });
});

describe('without node-pty', () => {
  it('the program runs plainly, and --verbose says why in one line', async () => {
    const alone = path.join(dir, 'claude-wrap.cjs');
    copyFileSync(claudeWrapProgram, alone);
    run(process.execPath, [alone, '--pty', '--verbose', '--', 'sh', '-c', 'echo plain; exit 6']);
    await shows('plain');
    expect(await leaves()).toBe(6);
    expect(screen.split('\r\n').filter((line) => line.includes('node-pty'))).toHaveLength(1);
  });
});
