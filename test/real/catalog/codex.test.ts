import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../catalog/session.ts';
import { agentPath } from '../../lab/agents.ts';
import { CodexHome, nativeCodex } from '../../lab/codex-home.ts';
import { CODEX_SCRIPTS } from '../../lab/codex-model.ts';
import { CodexTerminal } from '../../lab/codex-terminal.ts';
import { type CodexModel, startMockOpenai } from '../../lab/mock-openai.ts';
import { OMNI_DEV } from '../../support/programs.ts';
import { until } from '../../support/until.ts';
import { findSessions, resumeInTerminal, runProgram, titled } from './support.ts';

const PATCH = '*** Begin Patch\n*** Add File: note.txt\n+hello\n*** End Patch\n';
const COMMIT = "git add note.txt && git commit -m 'RMI-SHOP-007 note'";
const READY = /Ask Codex|for shortcuts/;

const home = new CodexHome();
let model: CodexModel;
let env: Record<string, string>;
const children: ChildProcess[] = [];

const codex = (...args: string[]) => runProgram(nativeCodex(), args, { cwd: home.project, env });
const exec = (prompt: string) =>
  codex('exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt);

/** A person at Codex's own terminal. */
async function atTerminal(args: string[], script: (terminal: CodexTerminal) => Promise<void>): Promise<void> {
  const terminal = new CodexTerminal({ command: nativeCodex(), args, cwd: home.project, env });
  try {
    await terminal.see(READY);
    await script(terminal);
    await terminal.enter('/exit');
    await terminal.exited;
  } finally {
    await terminal.close();
  }
}

beforeAll(async () => {
  model = await startMockOpenai([
    {
      when: /write the note/,
      steps: [
        { custom: 'apply_patch', input: PATCH },
        { tool: 'exec_command', args: { cmd: COMMIT } },
        { text: 'Written.' },
      ],
    },
    ...CODEX_SCRIPTS,
  ]);
  // Threads run in the process on the terminal: nothing is left in the background.
  home.configure(model.url, { daemon_auto_start: false });
  env = {
    ...home.env(),
    GIT_AUTHOR_NAME: 'dev',
    GIT_AUTHOR_EMAIL: 'dev@example.com',
    GIT_COMMITTER_NAME: 'dev',
    GIT_COMMITTER_EMAIL: 'dev@example.com',
  };
  execFileSync('git', ['-C', home.project, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git']);

  await exec('write the note');
  await exec('say hello');
  await exec('an archived one');
  const archived = titled(await findSessions(env), 'an archived one');
  await codex('archive', archived.id);
  await atTerminal([], async (terminal) => {
    await terminal.enter('spawn a helper');
    await terminal.see(/helper finished/i, 60_000);
    await sleep(1_500);
    await terminal.enter('/rename Chosen by hand');
    await sleep(1_500);
  });
  const parent = titled(await findSessions(env), 'say hello');
  await atTerminal(['fork', parent.id], async (terminal) => {
    await sleep(1_000);
    await terminal.enter('go another way');
    await terminal.see(/Worked for|• ok/i);
    await sleep(1_500);
  });
}, 300_000);

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await model?.close();
  await home.remove();
}, 60_000);

const byPrompt = (sessions: readonly Session[], prompt: string): Session => {
  const found = sessions.find(({ recentPrompts }) => recentPrompts.includes(prompt));
  if (found === undefined) throw new Error(`no session with the prompt ${prompt}`);
  return found;
};

describe('a home that the real Codex made', () => {
  it('lists the threads people lead, subagents apart, every field in place', async () => {
    const sessions = await findSessions(env);
    expect(sessions.map(({ recentPrompts }) => recentPrompts.join()).sort()).toEqual([
      'an archived one',
      'go another way',
      'say hello',
      'spawn a helper',
      'write the note',
    ]);
    for (const session of sessions) {
      expect(session).toMatchObject({
        harness: 'codex',
        cwd: home.project,
        repository: 'github.com/acme/shop',
        state: 'resumable',
        resume: {
          command: ['codex', 'resume', session.id],
          cwd: home.project,
          env: { CODEX_HOME: home.codexHome },
        },
      });
      const { createdAt = '', lastHumanActivityAt = '', lastActivityAt } = session;
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(lastHumanActivityAt));
      expect(Date.parse(lastHumanActivityAt)).toBeLessThanOrEqual(Date.parse(lastActivityAt));
    }
    const named = byPrompt(sessions, 'spawn a helper');
    expect(named).toMatchObject({ title: 'Chosen by hand', titleSource: 'thread-name' });
  });

  it('links a fork with its parent and marks what is archived', async () => {
    const sessions = await findSessions(env);
    const parent = byPrompt(sessions, 'say hello');
    expect(byPrompt(sessions, 'go another way').links).toEqual({ forkedFrom: parent.id });
    const archived = byPrompt(sessions, 'an archived one');
    expect(archived).toMatchObject({
      archived: true,
      resume: { prepare: [['codex', 'unarchive', archived.id]] },
    });
  });

  it('reads the same from the state database and without it', async () => {
    const withDatabase = await findSessions(env, agentPath('node24'), ['--evidence']);
    const without = await findSessions(env, process.execPath, ['--evidence']);
    expect(withDatabase).toEqual(without);
    expect(withDatabase).toHaveLength(5);
  });

  it('tells what a session touched', async () => {
    const sessions = await findSessions(env, process.execPath, ['--evidence']);
    expect(byPrompt(sessions, 'write the note').evidence).toMatchObject({
      complete: true,
      files: [{ path: path.join(home.project, 'note.txt'), access: 'written' }],
      commits: [{ subject: 'RMI-SHOP-007 note' }],
      workRefs: [{ id: 'RMI-SHOP-007', places: ['command', 'commit'] }],
    });
  });

  it('is read all the same while a writer locks the database, and says so', async () => {
    const writer = spawn(
      agentPath('node24'),
      [
        '-e',
        `const { DatabaseSync } = require('node:sqlite');
         const db = new DatabaseSync(process.argv[1]);
         db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE threads SET name = name');
         console.log('locked'); setInterval(() => {}, 1000);`,
        path.join(home.codexHome, 'state_5.sqlite'),
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    children.push(writer);
    await new Promise((resolve) => writer.stdout?.once('data', resolve));
    const output = await runProgram(agentPath('node24'), [OMNI_DEV, 'sessions', 'find', '-o', 'json'], {
      cwd: '/',
      env,
    });
    const { sessions, errors } = JSON.parse(output) as { sessions: Session[]; errors: { reason: string }[] };
    expect(errors.map(({ reason }) => reason)).toEqual(['database is locked']);
    writer.kill('SIGKILL');
    await until(() => writer.exitCode !== null || writer.signalCode !== null);
    expect(sessions).toEqual(await findSessions(env, agentPath('node24')));
  });

  it('resumes each of them for real, in its directory, and shows it running meanwhile', async () => {
    const sessions = await findSessions(env);
    for (const session of sessions) await resumeAndAsk(session);
    const after = await findSessions(env);
    expect(after).toHaveLength(sessions.length);
    expect(after.some(({ archived }) => archived)).toBe(false);
  }, 300_000);
});

async function resumeAndAsk(session: Session): Promise<void> {
  const question = `are you back ${session.id.slice(-6)}`;
  const terminal = resumeInTerminal(session.id, env);
  try {
    await terminal.see(READY);
    await sleep(1_000);
    await terminal.enter(question);
    await until(
      () =>
        home
          .rollouts()
          .some((file) => file.includes(session.id) && readFileSync(file, 'utf8').includes(question)),
      () => `${session.title} did not go on:\n${terminal.text()}`,
    );
    const live = (await findSessions(env)).find(({ id }) => id === session.id);
    expect(live).toMatchObject({ state: 'running', runtime: { source: 'thread-lock' }, cwd: home.project });
    const refused = resumeInTerminal(session.id, env);
    expect((await refused.exited).code).toBe(1);
    await refused.close();
    await sleep(1_000);
    await terminal.enter('/exit');
    expect((await terminal.exited).code).toBe(0);
  } finally {
    await terminal.close();
  }
}
