import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../catalog/session.ts';
import { agentPath } from '../../lab/agents.ts';
import { LabHome } from '../../lab/claude-home.ts';
import { CodexTerminal as Terminal } from '../../lab/codex-terminal.ts';
import { type MockModel, startMockAnthropic } from '../../lab/mock-anthropic.ts';
import type { ModelPlan } from '../../lab/model-script.ts';
import type { Scenario } from '../../lab/scenario.ts';
import { until } from '../../support/until.ts';
import { findSessions, resumeInTerminal, runProgram, titled } from './support.ts';

const COMMIT = "git add note.txt && git commit -m 'INIT-SHOP-001 note'";
const PLAN: ModelPlan = {
  routes: [
    { lane: 'side', steps: [{ text: '{"title": "A made-up title"}', repeat: -1 }] },
    {
      lane: 'main',
      match: 'Write the note',
      steps: [
        { tools: [{ name: 'Write', input: { file_path: 'note.txt', content: 'hello\n' } }] },
        { tools: [{ name: 'Bash', input: { command: COMMIT, description: 'commit' } }] },
        { text: 'Written.' },
      ],
    },
    {
      lane: 'main',
      match: 'Wait a while',
      steps: [
        { tools: [{ name: 'Bash', input: { command: 'sleep 5', description: 'wait' } }] },
        { text: 'Waited.' },
      ],
    },
    {
      lane: 'main',
      opening: 'Delegate it',
      steps: [
        {
          tools: [
            {
              name: 'Agent',
              input: { description: 'Count', prompt: 'SUBAGENT count', subagent_type: 'general-purpose' },
            },
          ],
        },
        { text: 'Delegated.' },
      ],
    },
  ],
  default: { text: 'Done.' },
};

const home = new LabHome();
let model: MockModel;
let env: Record<string, string>;
let project: string;
let elsewhere: string;

const claude = (args: string[], cwd = project) =>
  runProgram(agentPath('claude'), ['-p', '--allowedTools=Write,Bash,Agent', ...args], { cwd, env });

async function submit(terminal: Terminal, text: string): Promise<void> {
  terminal.press(text);
  await sleep(700);
  terminal.press('\r');
}

/** A person at Claude's own terminal. */
async function atTerminal(args: string[], script: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = new Terminal({
    command: agentPath('claude'),
    args: ['--allowedTools=Bash', ...args],
    cwd: project,
    env: { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '' },
  });
  try {
    await terminal.see(/shortcuts|for agents|shift\+tab/);
    await sleep(800);
    await script(terminal);
    await submit(terminal, '/exit');
    await terminal.exited;
  } finally {
    await terminal.close();
  }
}

beforeAll(async () => {
  model = await startMockAnthropic(PLAN);
  const scenario: Scenario = { name: 'catalog', mode: 'tui', script: [] } as unknown as Scenario;
  project = home.prepare(scenario);
  elsewhere = path.join(home.dir, 'elsewhere');
  mkdirSync(elsewhere);
  env = {
    ...home.claudeEnv(model.url, scenario),
    PATH: `${path.dirname(agentPath('claude'))}:${process.env.PATH}`,
    GIT_AUTHOR_NAME: 'dev',
    GIT_AUTHOR_EMAIL: 'dev@example.com',
    GIT_COMMITTER_NAME: 'dev',
    GIT_COMMITTER_EMAIL: 'dev@example.com',
  };
  execFileSync('git', ['init', '-q', '-b', 'main', project]);
  execFileSync('git', ['-C', project, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git']);

  await claude(['Write the note.']);
  const first = titled(await findSessions(env), 'Write the note.');
  await claude(['--resume', first.id, '--fork-session', 'Go another way.']);
  await claude(['--resume', first.id, 'From elsewhere.'], elsewhere);
  await claude(['--name', 'Named at the start', 'Say something.']);
  await claude(['Delegate it.']);
  await atTerminal([], async (terminal) => {
    await submit(terminal, 'Wait a while.');
    await terminal.see(/sleep 5/);
    await submit(terminal, 'And this while you wait.');
    await terminal.see(/Waited/);
    await sleep(1_500);
    await submit(terminal, '/rename Chosen by hand');
    await sleep(1_500);
    await submit(terminal, '/compact');
    await terminal.see(/[Cc]ompacted/);
    await sleep(1_500);
  });
  await atTerminal([], async (terminal) => {
    await submit(terminal, 'Please greet the whole shop.');
    await terminal.see(/Done\./);
    await sleep(4_000);
  });
}, 300_000);

afterAll(async () => {
  await model?.close();
  home.remove();
}, 60_000);

const byPrompt = (sessions: readonly Session[], prompt: string): Session => {
  const found = sessions.find(({ recentPrompts }) => recentPrompts.includes(prompt));
  if (found === undefined) throw new Error(`no session with the prompt ${prompt}`);
  return found;
};

/** Every field that has to hold for every session. */
function expectCommon(session: Session): void {
  expect(session).toMatchObject({
    harness: 'claude-code',
    cwd: project,
    repository: 'github.com/acme/shop',
    state: 'resumable',
    resume: { command: ['claude', '--resume', session.id], cwd: project },
  });
  const { createdAt = '', lastHumanActivityAt = '', lastActivityAt } = session;
  expect([createdAt, lastHumanActivityAt, lastActivityAt].every((time) => time.endsWith('Z'))).toBe(true);
  expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(lastHumanActivityAt) + 1_000);
  expect(Date.parse(lastHumanActivityAt)).toBeLessThanOrEqual(Date.parse(lastActivityAt));
}

describe('a home that the real Claude made', () => {
  it('lists each session once, newest first, subagents and folders apart', async () => {
    const sessions = await findSessions(env);
    expect(sessions.map(({ title, titleSource }) => `${titleSource}: ${title}`).sort()).toEqual([
      'custom: Chosen by hand',
      'custom: Named at the start',
      'first-prompt: Delegate it.',
      'first-prompt: Write the note.',
      'first-prompt: Write the note.',
      'generated: A made-up title',
    ]);
    const times = sessions.map(({ lastActivityAt }) => lastActivityAt);
    expect(times).toEqual([...times].sort().reverse());
    for (const session of sessions) expectCommon(session);
  });

  it('knows what a person typed: queued prompts too, summaries, commands and tasks not', async () => {
    const sessions = await findSessions(env);
    expect(titled(sessions, 'Chosen by hand').recentPrompts).toEqual([
      'Wait a while.',
      'And this while you wait.',
    ]);
    expect(titled(sessions, 'Delegate it.').recentPrompts).toEqual(['Delegate it.']);
    expect(titled(sessions, 'A made-up title').recentPrompts).toEqual(['Please greet the whole shop.']);
  });

  it('keeps the first directory of a session resumed in another one', async () => {
    const session = byPrompt(await findSessions(env), 'From elsewhere.');
    expect(session.recentPrompts).toEqual(['Write the note.', 'From elsewhere.']);
    expect(session.cwd).toBe(project);
  });

  it('links a fork with its parent and gives it its own prompts', async () => {
    const sessions = await findSessions(env);
    const parent = byPrompt(sessions, 'From elsewhere.');
    const fork = byPrompt(sessions, 'Go another way.');
    expect(fork).toMatchObject({ links: { forkedFrom: parent.id }, recentPrompts: ['Go another way.'] });
    expect(parent.links?.continuedBy).toEqual([fork.id]);
    expect(Date.parse(fork.createdAt ?? '')).toBeGreaterThan(Date.parse(parent.createdAt ?? ''));
  });

  it('tells what a session touched', async () => {
    const sessions = await findSessions(env, process.execPath, ['--evidence']);
    const { evidence } = byPrompt(sessions, 'From elsewhere.');
    expect(evidence).toMatchObject({
      complete: true,
      repositories: [{ folder: project, id: 'github.com/acme/shop' }],
      files: [{ path: path.join(project, 'note.txt'), access: 'written' }],
      workRefs: [{ id: 'INIT-SHOP-001', places: ['command', 'commit'] }],
    });
    expect(evidence?.commits.map(({ sha }) => sha)).toEqual([
      execFileSync('git', ['-C', project, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    ]);
  });

  it('resumes each of them for real, in its directory, and shows it running meanwhile', async () => {
    const sessions = await findSessions(env);
    // Two at a time: the machine is small, and a person has several terminals too.
    for (let next = 0; next < sessions.length; next += 2) {
      await Promise.all(sessions.slice(next, next + 2).map(resumeAndAsk));
    }
    expect(await findSessions(env)).toHaveLength(6);
  }, 300_000);
});

async function resumeAndAsk(session: Session): Promise<void> {
  const question = `Are you back, ${session.id.slice(0, 4)}?`;
  const terminal = resumeInTerminal(session.id, env);
  try {
    await terminal.see(/shortcuts|for agents|shift\+tab/);
    await sleep(800);
    await submit(terminal, question);
    await until(
      () => readFileSync(session.transcript, 'utf8').includes(question),
      () => `${session.title} did not go on:\n${terminal.text()}`,
    );
    await expectRunning(session.id);
    await sleep(1_000);
    await submit(terminal, '/exit');
    expect((await terminal.exited).code).toBe(0);
  } finally {
    await terminal.close();
  }
  const after = (await findSessions(env)).find(({ id }) => id === session.id);
  expect(after?.recentPrompts.at(-1)).toBe(question);
  expect(after).toMatchObject({ state: 'resumable', cwd: project, title: session.title });
}

async function expectRunning(id: string): Promise<void> {
  const live = (await findSessions(env)).find((session) => session.id === id);
  expect(live).toMatchObject({ state: 'running', runtime: { source: 'live-record' } });
  const refused = resumeInTerminal(id, env);
  await refused.see(/is running/);
  expect((await refused.exited).code).toBe(1);
  await refused.close();
}
