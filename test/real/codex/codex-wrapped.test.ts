import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPath } from '../../lab/agents.ts';
import { nativeCodex } from '../../lab/codex-home.ts';
import { CodexLab, READY } from '../../lab/codex-lab.ts';
import { patternOf, SCENARIOS } from './scenarios.ts';

describe('the real Codex behind codex-wrap', () => {
  const lab = new CodexLab();
  beforeAll(() => lab.start({ features: { default_mode_request_user_input: true } }));
  afterAll(() => lab.stop());

  it.each(SCENARIOS)('$name: a subscriber sees every state, and the end', async ({ play, states }) => {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped();
    await lab.reach('idle', row);
    await play(terminal, lab, row);
    await terminal.enter('/exit');
    expect(await terminal.exited).toEqual({ code: 0, signal: 0 });
    await lab.reach('ended', row);
    expect(lab.states(row).join(' > ')).toMatch(patternOf([...states, 'ended']));
    expect(lab.leftFiles()).toEqual([]);
    // Every row is a session of ours: no subagent, no titling thread.
    expect(lab.sessions).toHaveLength(row + 1);
    expect(lab.recorder.problems).toEqual([]);
  });

  it('/new: two sessions, both over with the interface', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped();
    await lab.reach('idle', row);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    await terminal.enter('/new');
    await lab.reach('idle', row + 1);
    await terminal.enter('run a tool');
    await lab.reach('idle done', row + 1);
    await terminal.enter('/exit');
    await terminal.exited;
    await lab.reach('ended', row);
    await lab.reach('ended', row + 1);
    expect(lab.states(row).join(' > ')).toBe('idle > working > idle done > ended');
    expect(lab.states(row + 1).join(' > ')).toBe('idle > working > idle done > ended');
  });

  it('resume: the session goes on under its id, and the hint of the exit is explained', async () => {
    const row = lab.sessions.length;
    const first = await lab.wrapped();
    await lab.reach('idle', row);
    await first.enter('say hello');
    await lab.reach('idle done', row);
    await first.enter('/exit');
    await first.exited;
    await first.see(/the private server named above has stopped/);
    const id = lab.sessions[row] ?? '';
    expect(first.text().replaceAll('\n', '')).toContain(`resume ${id}`);
    await lab.reach('ended', row);

    const second = await lab.wrapped(['resume', id]);
    await lab.reach('idle done', row);
    await second.enter('run a tool');
    await second.see(/The tool ran/);
    await second.enter('/exit');
    await second.exited;
    await lab.reach('ended', row);
    expect(lab.states(row).join(' > ')).toBe(
      'idle > working > idle done > ended > idle done > working > idle done > ended',
    );
    expect(lab.sessions).toHaveLength(row + 1);
  });

  it('fork: a session of its own', async () => {
    const parent = lab.sessions.at(-1) ?? '';
    const row = lab.sessions.length;
    const terminal = await lab.wrapped(['fork', parent]);
    await lab.reach('idle', row, 30_000);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    await terminal.enter('/exit');
    await terminal.exited;
    await lab.reach('ended', row);
  });

  it('archive: the session ends while the interface is still there', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped();
    await lab.reach('idle', row);
    await terminal.enter('say hello');
    await lab.reach('idle done', row);
    const address = `unix://${lab.runtimeDir}/codex-wrap-${terminal.pid}.sock`;
    const archive = await lab.plain(['archive', '--remote', address, lab.sessions[row] ?? ''], null);
    expect((await archive.exited).code).toBe(0);
    await lab.reach('ended', row);
    expect(terminal.hasExited).toBe(false);
    await terminal.close();
  });

  it('a running turn at the exit is stopped, and said to be', async () => {
    const row = lab.sessions.length;
    const terminal = await lab.wrapped();
    await lab.reach('idle', row);
    await terminal.enter('stay silent');
    await lab.reach('working', row);
    await terminal.enter('/exit');
    expect((await terminal.exited).code).toBe(0);
    await lab.reach('ended', row);
    await terminal.see(/a running turn was stopped with it/);
    expect(lab.leftFiles()).toEqual([]);
  });

  it('started by its Node launcher, which stands in front of the program', async () => {
    const row = lab.sessions.length;
    const program = path.join(import.meta.dirname, '../../../dist/codex-wrap.cjs');
    const terminal = await lab.onTerminal(process.execPath, [program, '--', agentPath('codex')], READY);
    await lab.reach('idle', row);
    await terminal.enter('/exit');
    expect((await terminal.exited).code).toBe(0);
    await lab.reach('ended', row);
    expect(lab.leftFiles()).toEqual([]);
    expect(lab.home.processes().filter(({ command }) => command.includes('app-server'))).toEqual([]);
  });

  it('named as it is without us, to its provider and in its rollouts', async () => {
    const before = lab.model.requests.length;
    const row = lab.sessions.length;
    const wrapped = await lab.wrapped();
    await lab.reach('idle', row);
    await wrapped.enter('say hello');
    await lab.reach('idle done', row);
    await wrapped.enter('/exit');
    await wrapped.exited;
    const ours = lab.model.requests.slice(before);

    const bare = await lab.plain(['--no-daemon']);
    await bare.enter('say hello');
    await bare.see(/Hello from the mock/);
    const theirs = lab.model.requests.slice(before + ours.length);
    expect(new Set(ours.map(({ userAgent }) => userAgent))).toEqual(
      new Set(theirs.map(({ userAgent }) => userAgent)),
    );
    expect(new Set(ours.map(({ originator }) => originator))).toEqual(new Set(['codex-tui']));
    const rollout = lab.sightings(row).at(-1)?.entry?.transcript_path ?? '';
    const meta = JSON.parse(readFileSync(rollout, 'utf8').split('\n')[0] ?? '') as {
      payload: { originator: string };
    };
    expect(meta.payload.originator).toBe('codex-tui');
    await bare.close();
  });

  it('passed through where it runs no interface', async () => {
    const before = lab.sessions.length;
    const terminal = await lab.wrapped(['exec', '--skip-git-repo-check', 'say hello'], /Hello from the mock/);
    expect((await terminal.exited).code).toBe(0);
    const version = await lab.wrapped(['--version'], /codex-cli 0\./);
    expect((await version.exited).code).toBe(0);
    expect(lab.home.processes().filter(({ command }) => command.includes(nativeCodex()))).toEqual([]);
    expect(lab.leftFiles()).toEqual([]);
    expect(lab.sessions.length - before).toBeLessThanOrEqual(1);
  });

  it('suspended with Ctrl-Z and brought back, as a job of a shell', async () => {
    const row = lab.sessions.length;
    const shell = await lab.onTerminal('/bin/bash', ['--norc', '-i']);
    const program = path.join(import.meta.dirname, '../../../dist/codex-wrap.cjs');
    shell.press(`${process.execPath} ${program} -- ${nativeCodex()}\r`);
    await shell.see(READY, 60_000);
    await lab.reach('idle', row);
    shell.press('\x1a');
    await shell.see(/Stopped/);
    shell.press('fg\r');
    await shell.see(READY);
    await shell.enter('say hello');
    await lab.reach('idle done', row);
    await shell.enter('/exit');
    await lab.reach('ended', row);
    await shell.close();
  });
});
