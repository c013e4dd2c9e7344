import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PtyLauncher } from '../../../../wrappers/pty/pty-process.ts';
import { until } from '../../../support/until.ts';
import { claudeWrapProgram } from '../support/program.ts';
import { TestTerminal } from '../support/test-terminal.ts';

/** Where it is not, the stop key does nothing (docs/terminal.md). */
const HAS_DASH = process.platform === 'linux' && existsSync('/bin/dash');

let tab: TestTerminal;

beforeEach(() => {
  tab = new TestTerminal();
});

afterEach(() => tab.close());

describe('D13: the terminal is put back', () => {
  const switchOn = "printf '\\033[?1049h\\033[?25l\\033[>1u\\033[?2004h'; stty raw -echo;";

  it.each([
    ['the program leaves by itself', 'stty raw -echo; exit 0', '0'],
    ['the program is killed', `${switchOn} kill -KILL $$`, '137'],
    ['we are told to leave', `${switchOn} kill -TERM $(cat $HOME/pid); sleep 5`, '143'],
    ['we are told to hang up', `${switchOn} kill -HUP $(cat $HOME/pid); sleep 5`, '129'],
  ])('when %s', async (_what, script, status) => {
    tab.insideShell(script);
    await tab.shows(`status=${status}`);
    await tab.leaves();
    const [before, after] = tab.modesPrinted();
    expect(before).toMatch(/^isig icanon/);
    expect(after).toBe(before);
    if (script.startsWith(switchOn)) expect(tab.screen).toContain('\x1b[<1u\x1b[?1049l\x1b[?25h\x1b[?2004l');
  });

  it('when the program stops itself, and taken again when it goes on', async () => {
    await tab.asJob('echo up-$((1+1)); kill -STOP $$; echo again-$((2+2)); read x; echo got-$x');
    await tab.promptAfter('Stopped');
    tab.pty.write('stty -a; fg\r');
    expect(await tab.printsModes(1)).toMatch(/^isig icanon/);
    await tab.shows('again-4');
    tab.pty.write('yes\r');
    await tab.promptAfter('got-yes');
    tab.pty.write('exit\r');
    await tab.leaves();
  });

  it.runIf(HAS_DASH)('when the stop key stops it, twice', async () => {
    await tab.asJob('echo up-$((1+1)); read x; echo got-$x; read y; echo got-$y; exit 9');
    await tab.shows('up-2');
    for (const [turn, key] of ['one', 'two'].entries()) {
      tab.pty.write('\u001a');
      await until(
        () => tab.screen.split('Stopped').length === turn + 2,
        () => `not stopped: ${JSON.stringify(tab.screen.slice(-2_000))}`,
        60_000,
      );
      await tab.promptAfter('Stopped');
      tab.pty.write('stty -a; fg\r');
      expect(await tab.printsModes(turn + 1)).toMatch(/^isig icanon/);
      await tab.pauseUntilRaw();
      tab.pty.write(`${key}\r`);
      await tab.shows(`got-${key}`);
    }
    await tab.promptAfter('got-two');
    tab.pty.write('echo status=$?; exit\r');
    await tab.shows('status=9');
    await tab.leaves();
  });

  it.runIf(process.platform === 'linux')('or nothing stays when the terminal is gone', async () => {
    const host = new PtyLauncher(claudeWrapProgram).start(
      process.execPath,
      [claudeWrapProgram, '--pty', '--', 'sh', '-c', 'echo $$ >"$HOME/pid"; echo ready; exec sleep 300'],
      { columns: 80, rows: 24 },
      { ...process.env, HOME: tab.dir, OMNI_DEV_NO_AUTOSTART: '1' },
    );
    await until(() => existsSync(path.join(tab.dir, 'pid')), undefined, 60_000);
    await new Promise((resolve) => host.stream.once('data', resolve));
    const program = Number(readFileSync(path.join(tab.dir, 'pid'), 'utf8'));
    host.stream.destroy();
    tab.exitCode = (await host.exited).code ?? -1;
    await until(() => !existsSync(`/proc/${program}`), undefined, 60_000);
  });

  it.runIf(process.platform === 'linux')('and a stop key where no shell waits stops nothing', async () => {
    tab.wrapped('echo up-$((1+1)); read x; echo got-$x; exit 9');
    await tab.shows('up-2');
    tab.pty.write('\u001a');
    tab.pty.write('one\r');
    await tab.shows('got-one');
    expect(await tab.leaves()).toBe(9);
  });
});
