import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { claudeWrapProgram } from '../support/program.ts';
import { TestTerminal, wrapperWords } from '../support/test-terminal.ts';

/** Gone, or only waited for. */
function hasEnded(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return true;
  }
}

let tab: TestTerminal;

beforeEach(() => {
  tab = new TestTerminal();
});

afterEach(() => tab.close());

describe('a program under claude-wrap --pty', () => {
  it('has a terminal of the same size, and its status is kept', async () => {
    tab.wrapped('test -t 0 && test -t 1 && test -t 2 && stty size; exit 3');
    await tab.shows('30 100');
    expect(await tab.leaves()).toBe(3);
  });

  it('that a signal ends is mirrored', async () => {
    tab.wrapped('kill -TERM $$');
    expect(await tab.leaves()).toBe(143);
  });

  it('that is not there is said so, with the status of a shell', async () => {
    tab.run(process.execPath, [claudeWrapProgram, '--pty', '--', path.join(tab.dir, 'missing')]);
    await tab.shows('failed to spawn');
    expect(await tab.leaves()).toBe(127);
  });

  it('gets the keys as they are typed, an interrupt as its terminal makes it', async () => {
    tab.wrapped('trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.1; done');
    await tab.shows('ready');
    tab.pty.write('\u0003');
    await tab.shows('caught');
    expect(await tab.leaves()).toBe(5);
  });

  it('follows the size of the window', async () => {
    tab.wrapped('trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.1; done');
    await tab.shows('ready');
    tab.pty.resize(77, 22);
    await tab.shows('22 77');
    await tab.leaves();
  });

  it('asked for program status is answered, and the terminal is told nothing that it does not know', async () => {
    tab.node(
      `process.stdin.setRawMode(true);
       process.stdin.once('data', (d) => {
         process.stdout.write('answer ' + JSON.stringify(String(d)) + '\\x1b]7501;state=idle:app=claude-code\\x07\\x1b]0;Claude Code\\x07 over');
         setTimeout(() => process.exit(), 300);
       });
       process.stdout.write('\\x1b]0;✳ Claude Code\\x07\\x1b]7501;?\\x07');`,
    );
    await tab.shows(' over');
    expect(tab.screen).toContain(`answer ${JSON.stringify('\x1b]7501;?\x1b\\')}`);
    expect(tab.screen).not.toContain('state=idle');
    expect(tab.screen).toContain('\x1b]0;✳ Claude Code\x07 over');
    await tab.leaves();
  });

  it('in a terminal that answers itself: everything passes, and one answer arrives', async () => {
    tab.node(
      `process.stdin.setRawMode(true);
       let got = '';
       process.stdin.on('data', (d) => { got += d; if (got.includes('q')) {
         process.stdout.write('\\x1b]7501;state=working:app=claude-code\\x07got ' + got.split('7501').length + ' over');
         setTimeout(() => process.exit(), 300);
       } });
       process.stdout.write('\\x1b]7501;?\\x07\\x1b]7501;state=idle:app=claude-code\\x07ready');`,
    );
    await tab.shows('ready');
    expect(tab.screen).not.toContain('state=idle');
    tab.pty.write('\x1b]7501;?\x1b\\');
    tab.pty.write('q');
    await tab.shows(' over');
    expect(tab.screen).toContain('got 2 over');
    expect(tab.screen).toContain('state=idle');
    expect(tab.screen).toContain('state=working');
    await tab.leaves();
  });
});

describe('D8: all output is delivered before the exit', () => {
  it('of a program that prints 20 KB and leaves at once, 100 times of 100', async () => {
    const loop = 'i=0; while [ $i -lt 100 ]; do "$@"; i=$((i+1)); done; echo all-$((1+1))';
    const script = 'head -c 20000 /dev/zero | tr "\\0" x; echo "END"';
    tab.run('bash', ['--norc', '--noprofile', '-c', `${loop}; sleep 0.5`, 'x', ...wrapperWords(script)]);
    await until(
      () => tab.screen.includes('all-2'),
      () => `stopped after ${tab.screen.split('END').length - 1}`,
      280_000,
    );
    const runs = tab.screen.split('END\r\n').slice(0, -1);
    expect(runs).toHaveLength(100);
    expect(new Set(runs.map((part) => part.length))).toEqual(new Set([20_000]));
  }, 300_000);
});

describe('D10: a window that is resized when the program leaves', () => {
  it('changes neither status nor anything else', async () => {
    tab.wrapped('echo bye; exit 4');
    const timer = setInterval(() => {
      try {
        tab.pty.resize(60 + Math.floor(Math.random() * 40), 20);
      } catch {
        // The test's own terminal is gone.
      }
    }, 1);
    const code = await tab.leaves().finally(() => clearInterval(timer));
    expect(code).toBe(4);
    expect(tab.screen).toContain('bye');
    expect(tab.screen).not.toMatch(/Error|EBADF/);
  });
});

describe('D11: a large paste while the program sleeps', () => {
  it('arrives in order, with nothing lost', async () => {
    tab.node(
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
    await tab.shows('ready');
    const paste =
      `\x1b[200~${Array.from({ length: 20_000 }, (_, i) => `${i}`.padStart(9, '.')).join('\n')}`.slice(
        0,
        199_994,
      );
    const text = `${paste}\x1b[201~`;
    tab.pty.write(text);
    await tab.shows('sum ');
    await tab.leaves();
    expect(tab.screen).toContain(`sum 200000 ${createHash('sha256').update(text).digest('hex')}`);
  });
});

describe.runIf(process.platform === 'linux')('D12: a terminal that takes nothing', () => {
  it('holds the program back, and nothing is lost', async () => {
    tab.wrapped('head -c 4000000 /dev/zero | tr "\\0" y; echo; echo END; sleep 1');
    await tab.shows('yyyy');
    tab.pty.pause();
    await tab.pause(1_500);
    const early = tab.bytesRead();
    await tab.pause(1_000);
    expect(tab.bytesRead() - early).toBeLessThan(10_000);
    tab.pty.resume();
    await tab.shows('END');
    expect(tab.screen.replaceAll(/[^y]/g, '').length).toBe(4_000_000);
    await tab.leaves();
  });

  it('does not keep us when the program has ended and we are told to go', async () => {
    tab.wrapped('echo $$ >"$HOME/pid"; echo ready; read x; head -c 150000 /dev/zero | tr "\\0" y; exit 3');
    await tab.shows('ready');
    tab.pty.pause();
    tab.pty.write('\r');
    const program = Number(readFileSync(path.join(tab.dir, 'pid'), 'utf8'));
    await until(() => !existsSync(`/proc/${program}`), undefined, 60_000);
    tab.pty.kill('SIGTERM');
    await until(() => hasEnded(tab.pty.pid), undefined, 60_000);
    tab.pty.resume();
    expect(await tab.leaves()).toBe(143);
  });

  it('costs no memory, however much the program has to say', async () => {
    tab.wrapped('yes');
    await tab.shows('y\r\ny');
    tab.pty.pause();
    await tab.pause(2_000);
    const early = tab.residentMegabytes();
    await tab.pause(4_000);
    expect(tab.residentMegabytes() - early).toBeLessThan(5);
    tab.pty.kill('SIGTERM');
    tab.pty.resume();
    expect(await tab.leaves()).toBe(143);
  });
});

describe('without node-pty', () => {
  it('the program runs plainly, and --verbose says why in one line', async () => {
    const alone = path.join(tab.dir, 'claude-wrap.cjs');
    copyFileSync(claudeWrapProgram, alone);
    tab.run(process.execPath, [alone, '--pty', '--verbose', '--', 'sh', '-c', 'echo plain; exit 6']);
    await tab.shows('plain');
    expect(await tab.leaves()).toBe(6);
    expect(tab.screen.split('\r\n').filter((line) => line.includes('node-pty'))).toHaveLength(1);
  });
});
