import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, NOON, TestHome, typed } from './support/homes.ts';

const MINUTE = 60_000;
let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

const find = async (query: object = {}, limit = 20) =>
  (await home.catalog()).find({ words: [], ...query }, limit);

describe('sessions of every agent', () => {
  it('come newest first, each with how to resume it', async () => {
    const pi = home.pi({ at: NOON - 3 * MINUTE, prompts: ['Sort the shelf.'] });
    const claude = home.claude({ at: NOON - MINUTE });
    const codex = home.codex({ at: NOON - 2 * MINUTE });

    const { sessions, errors } = await find();

    expect(errors).toEqual([]);
    expect(sessions.map(({ id }) => id)).toEqual([claude, codex, pi]);
    expect(sessions[0]).toMatchObject({
      harness: 'claude-code',
      cwd: '/src/shop',
      title: 'Fix the till.',
      titleSource: 'first-prompt',
      recentPrompts: ['Fix the till.'],
      createdAt: '2026-11-30T11:58:00.000Z',
      lastHumanActivityAt: '2026-11-30T11:58:00.000Z',
      lastActivityAt: '2026-11-30T11:59:00.000Z',
      resume: { command: ['claude', '--resume', claude], cwd: '/src/shop' },
    });
    expect(sessions[1]?.resume?.command).toEqual(['codex', 'resume', codex]);
    expect(sessions[2]?.resume?.command.slice(0, 2)).toEqual(['pi', '--session']);
    expect(sessions[2]?.title).toBe('Sort the shelf.');
  });

  it('are none in an empty home', async () => {
    expect(await find()).toEqual({ sessions: [], errors: [] });
  });

  it('are cut to the page that was asked for', async () => {
    for (let index = 0; index < 30; index++) home.claude({ at: NOON - index * MINUTE });
    expect((await find({}, 7)).sessions).toHaveLength(7);
    expect((await find({}, Number.POSITIVE_INFINITY)).sessions).toHaveLength(30);
  });

  it('keep the latest prompts only, in the order they were typed', async () => {
    home.claude({ prompts: ['one', 'two', 'three', 'four', 'five'] });
    expect((await find()).sessions[0]?.recentPrompts).toEqual(['three', 'four', 'five']);
  });

  it('are ordered by their own clock where the files were all copied at one moment', async () => {
    const older = home.claude({ at: NOON - 60 * MINUTE, writtenAt: NOON });
    const newer = home.claude({ at: NOON - 5 * MINUTE, writtenAt: NOON });
    const oldest = home.codex({ at: NOON - 90 * MINUTE, writtenAt: NOON });
    expect((await find({}, 2)).sessions.map(({ id }) => id)).toEqual([newer, older]);
    expect((await find()).sessions.at(-1)?.id).toBe(oldest);
  });

  it('are ordered by their own clock also where thousands were copied, and few of them opened', async () => {
    for (let index = 0; index < 1_000; index++)
      home.claude({ at: NOON - (1_000 - index) * MINUTE, writtenAt: NOON });
    for (const _run of ['cold', 'warm']) {
      const catalog = await home.catalog({ cache: true });
      const { sessions } = await catalog.find({ words: [] }, 5);
      catalog.save();
      expect(sessions.map(({ lastActivityAt }) => lastActivityAt.slice(11, 16))).toEqual([
        '11:59',
        '11:58',
        '11:57',
        '11:56',
        '11:55',
      ]);
    }
    const cached = readFileSync(path.join(home.dir, '.cache/omni-dev/catalog.ndjson'), 'utf8');
    expect(cached.match(/"hasPrompt"/g)?.length).toBeLessThan(300);
  });

  it('with a clock in the future count as of now', async () => {
    home.claude({ at: NOON + 365 * 24 * 60 * MINUTE });
    const [session] = (await find()).sessions;
    expect(session?.lastActivityAt).toBe('2026-11-30T12:00:00.000Z');
    expect(session?.lastHumanActivityAt).toBe('2026-11-30T12:00:00.000Z');
  });
});

describe('one agent that cannot be read', () => {
  it('does not hide the others, and is named', async () => {
    home.claude();
    const broken = home.file('.codex/sessions/2026');
    home.write('.codex/sessions/2026/11', 'a file where a folder should be');
    expect((await find()).errors).toEqual([]);

    chmodSync(broken, 0o000);
    const isRoot = process.getuid?.() === 0;
    const { sessions, errors } = await find();
    expect(sessions).toHaveLength(1);
    // Root reads everything: for root there is nothing to name.
    if (!isRoot) expect(errors).toEqual([{ harness: 'codex', path: broken, reason: 'EACCES' }]);
    chmodSync(broken, 0o755);
  });
});

describe('the person and the agent', () => {
  it('have a clock each: a long gap shows an agent at work alone', async () => {
    home.claude({
      lines: [typed('Go.', NOON - 300 * MINUTE), answer('Still going.', NOON - MINUTE)],
      at: NOON - MINUTE,
    });
    const [session] = (await find()).sessions;
    expect(session?.lastHumanActivityAt).toBe('2026-11-30T07:00:00.000Z');
    expect(session?.lastActivityAt).toBe('2026-11-30T11:59:00.000Z');
  });

  it('are told apart where the last prompt lies out of reach: the history of typed prompts answers', async () => {
    const id = home.claude();
    home.write(
      '.claude/history.jsonl',
      `${JSON.stringify({ display: 'Later.', timestamp: NOON - 30_000, sessionId: id })}\n` +
        `${JSON.stringify({ display: '/exit', timestamp: NOON - 1_000, sessionId: id })}\n`,
    );
    expect((await find()).sessions[0]?.lastHumanActivityAt).toBe('2026-11-30T11:59:30.000Z');
  });
});

describe('a session without a prompt', () => {
  it('is listed but cannot be resumed', async () => {
    home.claude({ lines: [answer('Hello.', NOON - MINUTE)] });
    const [session] = (await find()).sessions;
    expect(session?.resume).toBeUndefined();
    expect(session?.state).toBe('unknown');
  });

  it('of a subagent is none', async () => {
    home.claude({ lines: [{ ...typed('Count.', NOON), isSidechain: true }] });
    home.codex({ meta: { source: { subagent: { other: 'guardian' } } } });
    expect((await find()).sessions).toEqual([]);
  });
});

describe('forks and continued sessions', () => {
  it('name each other, and a parent keeps its own prompts', async () => {
    const parent = home.claude({ at: NOON - 60 * MINUTE, prompts: ['Old one.'] });
    const fork = home.claude({
      lines: [
        { type: 'queue-operation', timestamp: new Date(NOON - 10 * MINUTE).toISOString() },
        typed('Old one.', NOON - 61 * MINUTE),
        { ...answer('Done.', NOON - 60 * MINUTE), requestSessionId: parent },
        typed('New one.', NOON - 10 * MINUTE),
        answer('Done.', NOON - 9 * MINUTE),
      ],
      at: NOON - 9 * MINUTE,
    });
    const { sessions } = await find();
    expect(sessions[0]).toMatchObject({
      id: fork,
      links: { forkedFrom: parent },
      recentPrompts: ['New one.'],
      createdAt: '2026-11-30T11:50:00.000Z',
      lastHumanActivityAt: '2026-11-30T11:50:00.000Z',
    });
    expect(sessions[1]).toMatchObject({ id: parent, links: { continuedBy: [fork] } });
  });

  it('have no prompt of their parent, however soon after it they were made', async () => {
    const parent = home.claude({ at: NOON - 1_000, prompts: ['Old one.'] });
    const fork = home.claude({
      lines: [
        { type: 'queue-operation', timestamp: new Date(NOON - 500).toISOString() },
        typed('Old one.', NOON - 1_000),
        { ...answer('Done.', NOON - 900), requestSessionId: parent },
        typed('New one.', NOON - 400),
        answer('Done.', NOON),
      ],
      at: NOON,
    });
    expect((await find()).sessions[0]).toMatchObject({ id: fork, recentPrompts: ['New one.'] });
  });

  it('that go on under a new id are linked too', async () => {
    const old = home.claude({ at: NOON - 60 * MINUTE });
    const line = (text: string, at: number) => ({ ...typed(text, at), sessionId: old });
    const next = home.claude({ lines: [line('Before.', NOON - 30 * MINUTE)], at: NOON - 30 * MINUTE });
    expect((await find()).sessions.find(({ id }) => id === next)?.links).toEqual({ continues: old });
  });

  it('of Codex can be resumed before their own first prompt, which their parent holds', async () => {
    const parent = home.codex({ at: NOON - 60 * MINUTE });
    const fork = home.codex({ meta: { forked_from_id: parent }, lines: [], prompts: [] });
    const session = (await find()).sessions.find(({ id }) => id === fork);
    expect(session).toMatchObject({ links: { forkedFrom: parent }, recentPrompts: [] });
    expect(session?.resume?.command).toEqual(['codex', 'resume', fork]);
  });

  it('of pi count a copied prompt for the parent alone', async () => {
    const parent = home.pi({ at: NOON - 60 * MINUTE });
    const fork = home.pi({
      at: NOON - 60 * MINUTE,
      header: {
        timestamp: new Date(NOON - 5 * MINUTE).toISOString(),
        parentSession: `/x/2026-11-30T10-00-00-000Z_${parent}.jsonl`,
      },
    });
    const session = (await find()).sessions.find(({ id }) => id === fork);
    expect(session?.links?.forkedFrom).toBe(parent);
    expect(session?.lastHumanActivityAt).toBeUndefined();
    expect(session?.recentPrompts).toEqual(['Fix the till.']);
  });
});

describe('an archived thread', () => {
  it('is taken out of the archive before it is resumed', async () => {
    const id = home.codex({ archived: true });
    expect((await find()).sessions[0]).toMatchObject({
      archived: true,
      resume: { prepare: [['codex', 'unarchive', id]], command: ['codex', 'resume', id] },
    });
  });
});

describe('a home in another place', () => {
  it('is found by the variables of its agent, and resumed with them', async () => {
    const other = new TestHome();
    try {
      other.claude();
      other.codex();
      other.pi();
      const env = {
        CLAUDE_CONFIG_DIR: `${other.dir}/.claude`,
        CODEX_HOME: `${other.dir}/.codex`,
        PI_CODING_AGENT_DIR: `${other.dir}/.pi/agent`,
      };
      const { sessions } = await (await home.catalog({ env })).find({ words: [] }, 20);
      expect(sessions.map(({ resume }) => resume?.env)).toEqual(
        expect.arrayContaining(Object.entries(env).map(([name, value]) => ({ [name]: value }))),
      );
    } finally {
      other.remove();
    }
  });
});
