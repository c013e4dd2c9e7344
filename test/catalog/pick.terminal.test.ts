import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { omniDev, TerminalProgram } from '../cli/support/terminal.ts';
import { OMNI_DEV } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { TestHome } from './support/homes.ts';

let home: TestHome;
const programs: TerminalProgram[] = [];
beforeEach(() => {
  home = new TestHome();
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.dispose();
  home.remove();
});

const env = () => ({ HOME: home.dir, PATH: `${path.join(home.dir, 'bin')}:${process.env.PATH}` });

function pick(argv: string[] = [], size: { columns?: number; rows?: number } = {}): TerminalProgram {
  const program = omniDev(['sessions', 'pick', ...argv], { ...size, env: env() });
  programs.push(program);
  return program;
}

/** A stand-in for `claude` that shows where it runs, how, and whether the terminal is as a shell left it. */
function fakeClaude(): void {
  const script =
    '#!/bin/sh\necho "RAN in $(pwd) with $*"\nstty -a | grep -q " icanon" && echo "TERMINAL IS COOKED"\nread line\necho "READ $line"\n';
  chmodSync(home.write('bin/claude', script), 0o755);
}

function makeSessions(): { till: string; fence: string } {
  const now = Date.now();
  return {
    till: home.claude({ cwd: home.dir, prompts: ['Repair the till.', 'And the drawer.'], at: now - 60_000 }),
    fence: home.claude({ cwd: home.dir, prompts: ['Paint the fence.'], at: now - 120_000 }),
  };
}

describe('sessions pick in a terminal', () => {
  it('filters by typing, previews, and Enter resumes in the right directory', async () => {
    fakeClaude();
    const { fence } = makeSessions();
    const program = pick();
    await program.shows('2 of 2');
    expect(program.alternate).toBe(true);
    expect(program.text()).toContain('> And the drawer.');

    program.type('fence');
    await program.shows((text) => text.includes('1 of 2') && text.includes('> Paint the fence.'));
    program.type('\r');

    await program.shows('TERMINAL IS COOKED');
    expect(program.alternate).toBe(false);
    expect(program.text()).toContain(`RAN in ${home.dir} with --resume ${fence}`.slice(0, 60));
    program.type('hello\r');
    await program.shows('READ hello');
    expect((await program.exits()).exitCode).toBe(0);
  });

  it('moves with the arrows and forgives a typing error', async () => {
    makeSessions();
    const program = pick();
    await program.shows('2 of 2');
    program.type('\u001b[B');
    await program.shows('> Paint the fence.');
    program.type('drwaer');
    await program.shows((text) => text.includes('similar: 1 of 2') && text.includes('> And the drawer.'));
  });

  it('refuses a running session, says why, and stays', async () => {
    const id = home.claude({ cwd: home.dir, at: Date.now() - 60_000 });
    const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'latin1') : undefined;
    const procStart = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    home.write(
      `.claude/sessions/${process.pid}.json`,
      JSON.stringify({ pid: process.pid, sessionId: id, startedAt: Date.now(), procStart, status: 'idle' }),
    );
    const program = pick([], { columns: 140 });
    await program.shows('(running)');
    program.type('\r');
    await program.shows(`is running (pid ${process.pid})`);
    expect(program.exit).toBeUndefined();
  });

  it('shows no escape sequence of a title, a prompt or a path', async () => {
    home.claude({
      cwd: `${home.dir}/\u001b[41mred`,
      prompts: ['\u001b]0;owned\u0007\u001b[2J\u009b31mtitle \u202eesrever'],
      at: Date.now() - 60_000,
    });
    const program = pick();
    await program.shows('title esrever');
    expect(program.raw).not.toContain('\u001b]0;owned');
    expect(program.raw).not.toContain('\u001b[41m');
    expect(program.raw).not.toContain('\u009b');
    expect(program.raw).not.toContain('\u202e');
  });

  it('takes a text pasted over several lines as one query', async () => {
    makeSessions();
    const program = pick();
    await program.shows('2 of 2');
    program.type('paint\rthe\rfence');
    await program.shows('1 of 2');
    expect(program.exit).toBeUndefined();
  });

  it('survives a resize', async () => {
    makeSessions();
    const program = pick();
    await program.shows('2 of 2');
    program.resize(40, 12);
    await program.shows((text) => text.includes('Repair') && !text.includes('─'));
    program.resize(100, 30);
    await program.shows('> And the drawer.');
  });

  it.each([
    ['Escape', (program: Person) => program.type('\u001b'), 1],
    ['Ctrl-C', (program: Person) => program.type('\u0003'), 130],
    ['SIGTERM', (program: Person) => program.kill('SIGTERM'), 143],
    ['SIGHUP', (program: Person) => program.kill('SIGHUP'), 129],
    ['SIGINT', (program: Person) => program.kill('SIGINT'), 130],
  ])('gives the terminal back after %s', async (_what, leave, code) => {
    makeSessions();
    const program = new TerminalProgram(
      '/bin/sh',
      [
        '-c',
        'echo $$ > "$HOME/pid"; trap "" INT; node "$0" sessions pick; echo "CODE $?"; stty -a',
        OMNI_DEV,
      ],
      { env: env() },
    );
    programs.push(program);
    await program.shows('2 of 2');
    const inner = innerPid(program.pid);
    leave({ type: (keys) => program.type(keys), kill: (signal) => process.kill(inner, signal) });
    await program.shows(`CODE ${code}`);
    await program.shows(' icanon');
    expect(program.alternate).toBe(false);
    // The cursor is shown again.
    expect(program.raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(program.raw.lastIndexOf('\u001b[?25l'));
  });

  it('prints the chosen session as JSON, with the screen beside it', async () => {
    const { till } = makeSessions();
    const out = path.join(home.dir, 'out');
    const program = new TerminalProgram(
      '/bin/sh',
      ['-c', `node "$0" sessions pick -o json > '${out}'; echo "CODE $?"`, OMNI_DEV],
      { env: env() },
    );
    programs.push(program);
    await program.shows('2 of 2');
    program.type('\r');
    await program.shows('CODE 0');
    await until(() => existsSync(out));
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ id: till, title: 'Repair the till.' });
  });
});

/** What a person, or the system, does to a program. */
interface Person {
  type(keys: string): void;
  kill(signal: NodeJS.Signals): void;
}

/** The one child of a shell. */
function innerPid(shell: number): number {
  const { stdout } = spawnSync('pgrep', ['-P', `${shell}`], { encoding: 'utf8' });
  return Number(stdout.trim().split(/\s+/)[0]);
}
