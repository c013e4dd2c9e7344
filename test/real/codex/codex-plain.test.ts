import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodexLab } from '../../lab/codex-lab.ts';
import { patternOf, SCENARIOS } from './scenarios.ts';

/** The first plain start copies some hundred megabytes before the shared server is up. */
const FIRST_START_MS = 150_000;
/** An idle thread is unloaded a minute after its last client left. */
const UNLOAD_MS = 100_000;

describe('the real Codex as it is, on the server that it shares', { timeout: 240_000 }, () => {
  const lab = new CodexLab();
  beforeAll(async () => {
    await lab.start({ features: { default_mode_request_user_input: true } });
    const terminal = await lab.plain();
    await lab.reach('idle', 0, FIRST_START_MS);
    await terminal.enter('/exit');
    await terminal.exited;
  }, FIRST_START_MS + 60_000);
  afterAll(() => lab.stop());

  it.each(SCENARIOS)('$name: a subscriber sees every state', async ({ play, states }) => {
    const row = lab.sessions.length;
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await play(terminal, lab, row);
    await terminal.enter('/exit');
    expect((await terminal.exited).code).toBe(0);
    expect(lab.states(row).join(' > ')).toMatch(patternOf(states));
    expect(lab.sightings(row).at(-1)?.entry?.feed).toBe('codex_server');
    expect(lab.sessions).toHaveLength(row + 1);
  });

  it('shows a running turn go on after its interface was killed', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await terminal.enter('write slowly');
    await lab.reach('working', row);
    process.kill(terminal.pid, 'SIGKILL');
    await terminal.exited;
    await lab.reach('idle done', row);
  });

  it('archive: the session ends', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    const archive = await lab.plain(['archive', lab.sessions[row] ?? ''], null);
    expect((await archive.exited).code).toBe(0);
    await lab.reach('ended', row);
    await terminal.close();
  });

  it('exec: a session of its own process, from its start to its end', async () => {
    const row = lab.sessions.length;
    const exec = await lab.plain(['exec', '--skip-git-repo-check', 'write slowly'], null);
    await lab.reach('working', row);
    expect((await exec.exited).code).toBe(0);
    await lab.reach('ended', row);
    expect(lab.states(row).join(' > ')).toMatch(/^(idle > )?working > (idle done > )?ended$/);
  });

  it('--no-daemon: work and rest from its rollout, its end from its lock', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.plain(['--no-daemon']);
    await terminal.enter('write slowly');
    await lab.reach('working', row);
    await terminal.see(/A slow answer/);
    await lab.reach('idle done', row);
    process.kill(terminal.pid, 'SIGKILL');
    await lab.reach('ended', row, 15_000);
  });

  it('is seen again, as it is, by a daemon that was killed', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await terminal.enter('stay silent');
    await lab.reach('working', row);
    lab.daemon.child.kill('SIGKILL');
    await sleep(1_000);
    await lab.startDaemon();
    await lab.reach('working', row, 60_000);
    terminal.press('\x1b');
    await lab.reach('idle interrupted', row);
    await terminal.enter('/exit');
    await terminal.exited;
  });

  it('unloads everything a minute after it was left, subagents included, though we watch', async () => {
    const row = lab.sessions.length;
    const before = new Set(lab.leftFiles());
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await terminal.enter('spawn a helper');
    await terminal.see(/The helper finished/, 60_000);
    await lab.reach('idle done', row);
    await terminal.enter('/exit');
    await terminal.exited;
    await lab.reach('ended', row, UNLOAD_MS);
    // Two threads were loaded here: the session's and its helper's.
    const loaded = () => lab.leftFiles().filter((name) => !before.has(name));
    for (const until = Date.now() + UNLOAD_MS; loaded().length > 0 && Date.now() < until; ) await sleep(500);
    expect(loaded()).toEqual([]);
  });

  it('goes stale or ends when the server is killed, and the next server is watched', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.plain();
    await lab.reach('idle', row);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    const server = lab.home.processes().find(({ command }) => command.includes('--managed-daemon'));
    expect(server).toBeDefined();
    process.kill(server?.pid ?? 0, 'SIGKILL');
    await lab.reach('ended', row, 20_000);
    await terminal.close();

    const again = await lab.plain();
    await lab.reach('idle', row + 1, FIRST_START_MS);
    await again.enter('say hello');
    await lab.reach('idle done', row + 1);
    await again.enter('/exit');
    await again.exited;
  });
});
