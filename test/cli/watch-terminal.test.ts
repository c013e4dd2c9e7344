import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { until } from '../support/until.ts';
import { entrySince } from './support/entries.ts';
import { omniDev, type TerminalOptions, type TerminalProgram } from './support/terminal.ts';

let daemon: FakeDaemon;
const programs: TerminalProgram[] = [];

beforeEach(async () => {
  daemon = await new FakeDaemon().listen();
});

afterEach(async () => {
  for (const program of programs.splice(0)) await program.dispose();
  await daemon.close();
});

function watch(options: TerminalOptions = {}): TerminalProgram {
  const program = omniDev(['sessions', 'watch', '--socket', daemon.socket], {
    ...options,
    env: { HOME: daemon.dir, ...options.env },
  });
  programs.push(program);
  return program;
}

describe('sessions watch in a terminal', () => {
  it('shows each session and redraws when the daemon pushes a change', async () => {
    daemon.sessions = [entrySince('a', 5, { state: 'working', cwd: '/src/shop', model: 'opus' })];
    const program = watch();
    expect(await program.shows('⚙ working')).toMatch(/shop/);
    daemon.push([entrySince('a', 0, { state: 'waiting_for_permission', cwd: '/src/shop' })]);
    await program.shows('! permission');
    expect(program.text()).not.toContain('⚙ working');
  });

  it('puts first who has waited for you longest', async () => {
    daemon.sessions = [
      entrySince('w', 900, { state: 'working', cwd: '/src/works' }),
      entrySince('i', 900, { state: 'idle', cwd: '/src/rests' }),
      entrySince('y', 20, { state: 'waiting_for_permission', cwd: '/src/young' }),
      entrySince('o', 300, { state: 'waiting_for_input', cwd: '/src/old' }),
    ];
    await watch().shows('rests');
    const order = programs[0]?.lines().flatMap((line) => /src\/(\w+)/.exec(line)?.[1] ?? []);
    expect(order).toEqual(['old', 'young', 'works', 'rests']);
  });

  it('says reconnecting while the daemon is away and goes on when it is back', async () => {
    daemon.sessions = [entrySince('a', 5, { state: 'working', cwd: '/src/shop' })];
    const program = watch();
    await program.shows('live');
    await daemon.stop();
    expect(await program.shows('reconnecting…')).toContain('shop');
    daemon.sessions = [entrySince('a', 0, { state: 'idle', cwd: '/src/shop' })];
    await daemon.listen();
    await program.shows(/live[\s\S]*◦ idle/);
  });

  it('says what to do when there is no session', async () => {
    const text = await watch().shows('No active agent sessions.');
    expect(text).toContain('claude');
    expect(text).toContain('q quit');
  });

  it('keeps ages moving without a push', async () => {
    daemon.sessions = [entrySince('a', 8, { state: 'working', cwd: '/src/shop' })];
    const program = watch();
    const shownAge = () => Number(/working +(\d+)s/.exec(program.text())?.[1]);
    await program.shows(/working +\d+s/);
    const first = shownAge();
    await program.shows(() => shownAge() >= first + 2);
  });

  it('follows the size of the terminal', async () => {
    daemon.sessions = Array.from({ length: 50 }, (_, i) =>
      entrySince(`s${i}`, i, { state: 'working', cwd: `/src/project-${i}`, model: 'claude-opus' }),
    );
    const program = watch({ columns: 80, rows: 24 });
    expect(await program.shows('1–21 of 50')).not.toContain('MODEL');
    program.resize(140, 40);
    expect(await program.shows('1–37 of 50')).toContain('MODEL');
    program.resize(30, 8);
    await program.shows((text) => text.split('\n').filter((line) => line.includes('⚙')).length === 5);
  });

  it('scrolls through 500 sessions', async () => {
    daemon.sessions = Array.from({ length: 500 }, (_, i) =>
      entrySince(`s${i}`, 1000 - i, { state: 'working', cwd: `/src/p${i}x` }),
    );
    const program = watch();
    await program.shows('of 500');
    program.type('G');
    await program.shows('480–500 of 500');
    expect(program.text()).toContain('p499x');
    program.type('g');
    await program.shows('1–21 of 500');
    program.type('/');
    program.type('p77x\r');
    await program.shows((text) => text.includes('p77x') && !text.includes('p78x'));
    program.type('\u001b');
    await program.shows('1–21 of 500');
  });

  it('writes only what changed', async () => {
    const rest = Array.from({ length: 15 }, (_, i) => entrySince(`s${i}`, 4000, { cwd: `/src/quiet-${i}` }));
    daemon.sessions = [entrySince('a', 4000, { state: 'working', cwd: '/src/busy' }), ...rest];
    const program = watch();
    await program.shows('quiet-14');
    const before = program.raw.length;
    daemon.push([entrySince('a', 4000, { state: 'waiting_for_input', cwd: '/src/busy' }), ...rest]);
    await program.shows('? waiting');
    const written = program.raw.slice(before);
    expect(written).toContain('busy');
    expect(written).not.toContain('quiet');
    expect(written).not.toContain('\u001b[2J');
  });

  it.each([
    ['q', 0],
    ['\u0003', 0],
  ])('gives the terminal back after the key %j', async (key, exitCode) => {
    const program = watch();
    await program.shows('live');
    expect(program.alternate).toBe(true);
    program.type(key);
    expect((await program.exits()).exitCode).toBe(exitCode);
    await expectRestored(program);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('gives the terminal back after %s', async (signal, exitCode) => {
    const program = watch();
    await program.shows('live');
    program.kill(signal);
    expect((await program.exits()).exitCode).toBe(exitCode);
    await expectRestored(program);
  });

  it('gives the terminal back while suspended and goes on after', async () => {
    const program = watch();
    await program.shows('live');
    program.type('\u001a');
    // Without a job-control shell around it the stop is discarded, and the program comes back by itself.
    await until(() => program.raw.split('\u001b[?1049h').length === 3);
    expect(program.raw.split('\u001b[?1049l')).toHaveLength(2);
    await program.shows('live');
  });

  it('never lets control or reordering characters of a name reach the terminal', async () => {
    const hostile = 'x\u001b]0;owned\u0007\u001b[31m\u009b2J\u202eevil\u2066\u200f\r\nend\u0000';
    daemon.sessions = [
      entrySince(hostile, 5, { state: 'working', cwd: `/src/${hostile}`, model: hostile, repo: hostile }),
      entrySince('b', 5, { state: `${hostile}` as 'idle', cwd: '/src/second' }),
    ];
    const program = watch({ columns: 120, rows: 24 });
    await program.shows('second');
    program.type('/');
    program.type('evil\r');
    await program.shows('filter "evil"');
    expect(program.raw).not.toContain('owned\u0007');
    expect(program.raw).not.toMatch(/\u001b\]|\u001b\[31m\u009b|[\u009b\u202e\u2066\u200f\u0000]/);
  });

  it('uses no colour when NO_COLOR is set, and still tells the states apart', async () => {
    daemon.sessions = [
      entrySince('a', 5, { state: 'waiting_for_permission', cwd: '/src/a' }),
      entrySince('b', 5, { state: 'working', cwd: '/src/b' }),
    ];
    const program = watch({ env: { NO_COLOR: '1' } });
    await program.shows(/! permission[\s\S]*⚙ working/);
    expect(program.raw).not.toMatch(/\u001b\[(3|9|1;3)\d?m/);
  });
});

async function expectRestored(program: TerminalProgram): Promise<void> {
  await until(() => !program.alternate);
  expect(program.raw).toContain('\u001b[?25h');
  expect(program.raw).toContain('\u001b[?7h');
  expect(program.raw.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(program.raw.lastIndexOf('\u001b[?1049h'));
}
