import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OMNI_DEV } from '../support/programs.ts';
import { answer, jsonl, NOON, TestHome, typed } from './support/homes.ts';

const MB = 1024 * 1024;
let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

const find = async () => (await home.catalog()).find({ words: [] }, 20);
const only = async () => (await find()).sessions[0];

const FOLDER = '.claude/projects/-src-shop';
const ID = '4f2a1111-0000-4000-8000-000000000000';
const fields = { sessionId: ID, cwd: '/src/shop', isSidechain: false };
const lines = (...records: object[]) => jsonl(records.map((one) => ({ ...fields, ...one })));
const transcript = (text: string | Buffer) => home.write(`${FOLDER}/${ID}.jsonl`, text);

/** Writes a text at a place in a file, far beyond its end if need be: the gap takes no disk. */
function writeAt(file: string, position: number, text: string): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, text, position);
  closeSync(fd);
}

/** Runs `sessions find -o json` in a process of its own, with little memory, and gives its peak in bytes. */
function findWithLittleMemory(): { sessions: { title?: string }[]; peak: number } {
  const script = `process.argv.splice(2, 0, 'sessions', 'find', '-o', 'json');
    process.on('exit', () => process.stderr.write('PEAK ' + process.resourceUsage().maxRSS));
    require(${JSON.stringify(OMNI_DEV)});`;
  const file = home.write('run.cjs', script);
  const output = execFileSync(
    '/bin/sh',
    ['-c', '"$0" --max-old-space-size=96 "$1" 2>&1', process.execPath, file],
    {
      env: { HOME: home.dir, PATH: process.env.PATH },
      encoding: 'utf8',
      maxBuffer: 16 * MB,
    },
  );
  const [json = '', peak = ''] = output.split('PEAK ');
  return { ...(JSON.parse(json) as { sessions: { title?: string }[] }), peak: Number(peak) * 1024 };
}

describe('D6: a transcript of 600 MB', () => {
  it('is listed from its two ends, in flat memory', () => {
    const file = transcript(lines(typed('First of many.', NOON - 60_000)));
    truncateSync(file, 600 * MB);
    writeAt(file, 600 * MB, `\n${lines(typed('Last of many.', NOON - 30_000), answer('Done.', NOON))}`);
    const { sessions, peak } = findWithLittleMemory();
    expect(sessions).toMatchObject([{ title: 'First of many.', recentPrompts: ['Last of many.'] }]);
    expect(peak).toBeLessThan(250 * MB);
  });

  it('with one line of 520 MB at its end is listed from its start', () => {
    const file = transcript(lines(typed('First of many.', NOON - 60_000)));
    writeAt(file, 520 * MB, '"}\n');
    const { sessions, peak } = findWithLittleMemory();
    expect(sessions).toMatchObject([{ title: 'First of many.', recentPrompts: ['First of many.'] }]);
    expect(peak).toBeLessThan(250 * MB);
  });

  it('that is one line of 520 MB and nothing else is listed without anything known', () => {
    const file = transcript('{"type":"user"');
    writeAt(file, 520 * MB, '}');
    const { sessions, peak } = findWithLittleMemory();
    expect(sessions).toMatchObject([{ id: ID, state: 'unknown', recentPrompts: [] }]);
    expect(peak).toBeLessThan(250 * MB);
  });
});

describe('a damaged transcript', () => {
  const good = lines(typed('Fix the till.', NOON - 60_000), answer('Done.', NOON - 30_000));

  it.each<[string, string | Buffer]>([
    ['a last line cut short', good + good.slice(0, 40)],
    ['no newline at its end', good.trimEnd()],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe, 0x0a])])],
    ['empty lines and garbage', `\n\n{]\nnull\n[]\n"x"\n${good}\n\u0000\u0000\u0000\n`],
    ['Windows line ends', good.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF\n${good}`],
    [
      'values of the wrong kind',
      `${JSON.stringify({ type: 'user', message: 7, timestamp: {}, cwd: [] })}\n${good}`,
    ],
  ])('with %s is read as far as it goes', async (_what, content) => {
    transcript(content);
    expect(await only()).toMatchObject({
      title: 'Fix the till.',
      recentPrompts: ['Fix the till.'],
      lastActivityAt: '2026-11-30T11:59:30.000Z',
    });
  });

  it('that is empty is listed without anything known', async () => {
    transcript('');
    expect(await only()).toMatchObject({
      id: ID,
      state: 'unknown',
      lastActivityAt: '2026-11-30T12:00:00.000Z',
    });
  });

  it.each(['0000-99-99T99:99:99Z', '9999-12-31T23:59:59Z', 'tomorrow', '-271821-04-20T00:00:00Z'])(
    'with the time %j never leads the list for ever',
    async (timestamp) => {
      transcript(lines({ ...typed('Fix the till.', NOON), timestamp }));
      expect(Date.parse((await only())?.lastActivityAt ?? '')).toBeLessThanOrEqual(NOON);
    },
  );
});

describe('a strange folder', () => {
  it('with links in a circle is walked once', async () => {
    home.claude();
    symlinkSync(home.file('.claude/projects/x/..'), home.file('.claude/projects/-src-shop/loop.jsonl'));
    symlinkSync(path.join(home.dir, '.claude/projects'), path.join(home.dir, '.claude/projects/loop'));
    symlinkSync('self', path.join(home.dir, '.claude/projects/self'));
    home.codex();
    symlinkSync('..', home.file('.codex/sessions/2026/2027'));
    expect((await find()).sessions).toHaveLength(2);
  });

  it('with folders and pipes named like sessions is listed without them', async () => {
    mkdirSync(home.file(`${FOLDER}/${ID}.jsonl/x`), { recursive: true });
    execFileSync('mkfifo', [home.file(`${FOLDER}/5f2a1111-0000-4000-8000-000000000000.jsonl`)]);
    expect(await find()).toEqual({ sessions: [], errors: [] });
  });

  it('that holds one session twice shows the one written last', async () => {
    home.claude({ id: ID, cwd: '/src/old', at: NOON - 60_000 });
    home.claude({ id: ID, cwd: '/src/new', at: NOON - 30_000 });
    const { sessions } = await find();
    expect(sessions.map(({ cwd }) => cwd)).toEqual(['/src/new']);
  });

  it('with 10,000 sessions shows its first page after opening a page of files', async () => {
    const text = lines(typed('Fix the till.', NOON - 60_000));
    for (let index = 0; index < 10_000; index++) {
      home.write(
        `.claude/projects/p${index % 50}/${String(index).padStart(8, '0')}.jsonl`,
        text,
        NOON - index * 1_000,
      );
    }
    const catalog = await home.catalog({ cache: true });
    const { sessions } = await catalog.find({ words: [] }, 20);
    catalog.save();
    expect(sessions).toHaveLength(20);
    // What was opened is what the cache now holds.
    const cached = readFileSync(path.join(home.dir, '.cache/omni-dev/catalog.ndjson'), 'utf8').split(
      '\n',
    ).length;
    expect(cached).toBeLessThan(100);
  }, 240_000);
});

describe('a damaged state database', () => {
  it('leaves the rollouts to speak, and is named where this Node reads databases', async () => {
    home.codex();
    home.write('.codex/state_5.sqlite', 'not a database');
    const { sessions, errors } = await find();
    expect(sessions).toMatchObject([{ harness: 'codex', title: 'Fix the till.' }]);
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const readsDatabases = major > 22 || (major === 22 && minor >= 13);
    expect(errors.map(({ path: file }) => path.basename(file ?? ''))).toEqual(
      readsDatabases ? ['state_5.sqlite'] : [],
    );
  });
});
