import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, runCommand } from '../cli/support/run-cli.ts';
import { NOON, TestHome } from './support/homes.ts';

let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

const run = (...argv: string[]): Promise<CliResult> =>
  runCommand(['sessions', ...argv], {
    home: home.dir,
    wall: () => NOON,
    env: { PATH: process.env.PATH ?? '' },
  });

describe('sessions find', () => {
  it('shows id, agent, state, times, place and title of each', async () => {
    const id = home.claude({ id: '4f2a1111-0000-4000-8000-000000000000' });
    const { stdout, exitCode } = await run('find');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'ID        AGENT   STATE      ACTIVE  TYPED  WHERE      TITLE\n' +
        `${id.slice(0, 8)}  claude  resumable  1m00s   2m00s  /src/shop  Fix the till.\n`,
    );
  });

  it('shows as much of an id as stands for it', async () => {
    home.codex({ id: '01990000-1111-4000-8000-000000000000' });
    home.codex({ id: '01990000-2222-4000-8000-000000000000' });
    const { stdout } = await run('find');
    expect(stdout).toContain('01990000-1  codex');
    expect(stdout).toContain('01990000-2  codex');
  });

  it('says so when nothing fits', async () => {
    expect((await run('find', 'unicorn')).stdout).toBe('No session fits.\n');
  });

  it('prints nothing that could drive a terminal', async () => {
    home.claude({
      prompts: ['\u001b]0;owned\u0007\u001b[2J\u202ereversed\u0085 title'],
      cwd: '/src/\u001b[31mred',
    });
    const { stdout } = await run('find');
    expect(stdout).toContain(']0;owned[2Jreversed title');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it.each([
    [['--harness', 'gemini'], /unknown harness "gemini"; known: claude-code, codex, pi/],
    [['--since', 'yesterday'], /--since "yesterday" is no time/],
    [['--state', 'asleep'], /Allowed choices are running, resumable, unknown/],
    [['--limit', 'x'], /whole number/],
  ])('refuses %j', async (argv, expected) => {
    const { exitCode, stderr } = await run('find', ...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(expected);
  });

  it('reads further where a work item is looked for with evidence', async () => {
    const cwd = '/src/shop';
    const time = new Date(NOON).toISOString();
    const call = { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'echo INIT-SHOP-001' } };
    home.claude({
      lines: [
        { type: 'user', promptSource: 'typed', timestamp: time, message: { role: 'user', content: 'Go.' } },
        { type: 'assistant', timestamp: time, message: { role: 'assistant', content: [call] } },
        {
          type: 'user',
          timestamp: time,
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: '' }] },
        },
      ],
      cwd,
    });
    expect((await run('find', '--work', 'INIT-SHOP-001')).stdout).toBe('No session fits.\n');
    expect((await run('find', '--work', 'INIT-SHOP-001', '--evidence')).stdout).toContain('Go.');
  });

  it('keeps what it read, for its owner alone', async () => {
    home.claude();
    await run('find');
    expect(existsSync(path.join(home.dir, '.cache/omni-dev/catalog.ndjson'))).toBe(true);
  });

  it('writes nothing into the folders of the agents', async () => {
    home.claude();
    home.codex();
    home.pi();
    const agents = () =>
      readdirSync(home.dir, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^\.(claude|codex|pi)/.test(name))
        .map((name) => `${name} ${statSync(path.join(home.dir, name)).mtimeMs}`);
    const before = agents();
    await run('find', '--evidence');
    expect(agents()).toEqual(before);
  });

  it('refuses a settings file with a mistake', async () => {
    home.write('.plexusone/omnidevx/config.json', '{"workspaceRoot":[]}');
    const { exitCode, stderr } = await run('find');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/config\.json: unknown key "workspaceRoot"/);
  });
});

describe('sessions show', () => {
  it('tells everything of one session', async () => {
    const id = home.claude({ prompts: ['One.', 'Two.'] });
    const { stdout } = await run('show', id.slice(0, 6));
    for (const line of [
      `session     claude:${id}`,
      'state       resumable',
      'prompts     > One.',
      '            > Two.',
    ]) {
      expect(stdout).toContain(line);
    }
    expect(stdout).toContain(`resume      cd /src/shop && claude --resume ${id}`);
  });

  it('lists the candidates of an ambiguous id, and how many there are', async () => {
    for (let index = 0; index < 7; index++) home.codex({ id: `01990000-111${index}-4000-8000-000000000000` });
    const { exitCode, stderr } = await run('show', '0199');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /"0199" matches 7 sessions: (codex:01990000-111\d-4000-8000-000000000000, ){4}.* and 2 more/,
    );
  });

  it.each([
    ['ffff', 1, /no session has an id that begins with "ffff"/],
    ['fff', 2, /too short: give 4 or more/],
    ['gemini:ffff', 2, /unknown harness "gemini"/],
  ])('refuses %s', async (reference, code, expected) => {
    const { exitCode, stderr } = await run('show', reference);
    expect(exitCode).toBe(code);
    expect(stderr).toMatch(expected);
  });
});

describe('sessions resume', () => {
  /** A stand-in for an agent: says where and how it was run. */
  function fakeAgent(
    name: string,
    script = 'pwd > "$HOME/ran"; echo "$0 $*" >> "$HOME/ran"; exit 7',
  ): string {
    const bin = home.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(bin, 0o755);
    return path.dirname(bin);
  }
  const resume = (bin: string, ...argv: string[]) =>
    runCommand(['sessions', 'resume', ...argv], {
      home: home.dir,
      wall: () => NOON,
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home.dir },
    });

  it('runs the agent in the directory of the session, and exits as it does', async () => {
    const cwd = path.join(home.dir, 'my shop');
    mkdirSync(cwd);
    const id = home.claude({ cwd });
    const { exitCode } = await resume(fakeAgent('claude'), id);
    expect(exitCode).toBe(7);
    expect(readFileSync(path.join(home.dir, 'ran'), 'utf8')).toMatch(
      new RegExp(`my shop\\n.*/bin/claude --resume ${id}\\n$`),
    );
  });

  it('exits as a shell does when a signal ended the agent', async () => {
    const id = home.claude({ cwd: home.dir });
    expect((await resume(fakeAgent('claude', 'kill -TERM $$'), id)).exitCode).toBe(143);
  });

  it('takes a thread out of the archive first, and goes no further when that fails', async () => {
    const id = home.codex({ cwd: home.dir, archived: true });
    const bin = fakeAgent('codex', 'echo "$*" >> "$HOME/ran"; [ "$1" = resume ]');
    expect((await resume(bin, id)).exitCode).toBe(1);
    expect(readFileSync(path.join(home.dir, 'ran'), 'utf8')).toBe(`unarchive ${id}\n`);
  });

  it('names an agent that is not there', async () => {
    const id = home.claude({ cwd: home.dir });
    const { exitCode, stderr } = await resume('/nonexistent', id);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/cannot run claude: is it installed, and on the PATH\?/);
  });

  it('refuses where the directory is gone', async () => {
    const id = home.claude({ cwd: path.join(home.dir, 'gone') });
    const { exitCode, stderr } = await resume(fakeAgent('claude'), id);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/gone does not exist any more/);
  });

  it('prints the command instead, as a line or as JSON', async () => {
    const id = home.claude();
    expect((await run('resume', id, '--print')).stdout).toBe(`cd /src/shop && claude --resume ${id}\n`);
    expect(JSON.parse((await run('resume', id, '-o', 'json')).stdout)).toEqual({
      command: ['claude', '--resume', id],
      cwd: '/src/shop',
    });
  });
});

describe('sessions pick', () => {
  it('needs a terminal', async () => {
    const { exitCode, stderr } = await run('pick');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/needs a terminal; without one use sessions find/);
  });
});
