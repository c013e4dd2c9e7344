import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitsIn } from '../../agents/files/trace.ts';
import { gatherEvidence, traceLimits } from '../../catalog/evidence/gather.ts';
import { RepoIndex } from '../../catalog/repo-index.ts';
import type { Session } from '../../catalog/session.ts';
import { WorkRefExtractor } from '../../catalog/work-refs.ts';
import { answer, jsonl, NOON, record, TestHome, typed, userMessage } from './support/homes.ts';

let home: TestHome;
let shop: string;
beforeEach(() => {
  home = new TestHome();
  shop = path.join(home.dir, 'shop');
  mkdirSync(shop);
  execFileSync('git', ['init', '-q', shop]);
  execFileSync('git', ['-C', shop, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git']);
});
afterEach(() => home.remove());

async function onlySession(): Promise<Session> {
  const { sessions } = await (await home.catalog()).find({ words: [] }, 1);
  const [session] = sessions;
  if (session === undefined) throw new Error('no session');
  return session;
}

async function evidence(limits = traceLimits(60_000, Number.POSITIVE_INFINITY)) {
  const sources = { repositories: new RepoIndex(), workRefs: new WorkRefExtractor() };
  return gatherEvidence(await onlySession(), sources, limits);
}

const call = (id: string, name: string, input: object) => ({
  ...answer('', NOON),
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
});
const result = (id: string, content: string, more: object = {}, toolUseResult: object = {}) => ({
  type: 'user',
  timestamp: new Date(NOON).toISOString(),
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  toolUseResult,
});

describe('evidence of a Claude session', () => {
  it('is every file its tools read or wrote, its commits, repositories and work references', async () => {
    home.claude({
      cwd: shop,
      lines: [
        typed('Do INIT-SHOP-001.', NOON),
        call('1', 'Read', { file_path: `${shop}/a.ts` }),
        result('1', 'text'),
        call('2', 'Write', { file_path: 'b.ts' }),
        result('2', 'ok'),
        call('3', 'Edit', { file_path: `${shop}/a.ts` }),
        result('3', 'ok'),
        call('4', 'Bash', { command: 'git add . && git commit -m "RMI-TILL-007 till"' }),
        result('4', '[main 1a2b3c4] RMI-TILL-007 till', {}, { stdout: '[main 1a2b3c4] RMI-TILL-007 till' }),
        call('5', 'Bash', { command: 'git commit -qm quiet' }),
        result('5', '', {}, { stdout: '', gitOperation: { commit: { sha: '5d6e7f8', branch: 'main' } } }),
      ],
    });
    expect(await evidence()).toEqual({
      lowerBound: true,
      complete: true,
      repositories: [{ folder: shop, name: 'shop', id: 'github.com/acme/shop' }],
      files: [
        { path: `${shop}/a.ts`, access: 'written' },
        { path: `${shop}/b.ts`, access: 'written' },
      ],
      commits: [
        { sha: '1a2b3c4', branch: 'main', subject: 'RMI-TILL-007 till' },
        { sha: '5d6e7f8', branch: 'main' },
      ],
      workRefs: [
        { id: 'INIT-SHOP-001', rule: 'initiative', places: ['title', 'prompt'] },
        { id: 'RMI-TILL-007', rule: 'rmi', places: ['command', 'commit'] },
      ],
    });
  });

  it('counts no call that was refused, failed or never came back', async () => {
    home.claude({
      cwd: shop,
      lines: [
        typed('Go.', NOON),
        call('1', 'Write', { file_path: 'refused.ts' }),
        result('1', 'no', { is_error: true }),
        call('2', 'Write', { file_path: 'unanswered.ts' }),
      ],
    });
    expect((await evidence()).files).toEqual([]);
  });

  it('includes what its subagents did', async () => {
    const id = home.claude({ cwd: shop });
    const folder = `.claude/projects/${shop.replace(/[^A-Za-z0-9]/g, '-')}/${id}/subagents`;
    const lines = [call('1', 'Write', { file_path: 'sub.ts' }), result('1', 'ok')];
    home.write(
      `${folder}/agent-a1.jsonl`,
      jsonl(lines.map((line) => ({ cwd: shop, isSidechain: true, ...line }))),
    );
    expect((await evidence()).files).toEqual([{ path: `${shop}/sub.ts`, access: 'written' }]);
  });
});

describe('evidence of a Codex session', () => {
  it('is every patch applied, file recognised as read, and commit', async () => {
    const item = (fields: object) => record(NOON, 'event_msg', { type: 'item_completed', item: fields });
    const command = (text: string, more: object) =>
      item({ type: 'CommandExecution', command: ['/bin/bash', '-lc', text], cwd: `file://${shop}`, ...more });
    home.codex({
      cwd: shop,
      lines: [
        record(NOON, 'event_msg', userMessage('Go.')),
        item({ type: 'FileChange', status: 'completed', changes: { [`${shop}/a.ts`]: { type: 'add' } } }),
        item({ type: 'FileChange', status: 'declined', changes: { [`${shop}/no.ts`]: { type: 'add' } } }),
        command('cat b.ts', { exit_code: 0, parsed_cmd: [{ type: 'read', name: 'b.ts', path: 'b.ts' }] }),
        command('git commit -m x', { exit_code: 0, aggregated_output: '[main (root-commit) 1a2b3c4] x\n' }),
        command('git commit -m y', { exit_code: 1, aggregated_output: '[main 9999999] y\n' }),
      ],
    });
    expect(await evidence()).toMatchObject({
      complete: true,
      files: [
        { path: `${shop}/a.ts`, access: 'written' },
        { path: `${shop}/b.ts`, access: 'read' },
      ],
      commits: [{ sha: '1a2b3c4', branch: 'main', subject: 'x' }],
    });
  });
});

describe('evidence of a pi session', () => {
  it('is every file its tools touched, and commits of commands typed by hand', async () => {
    const id = home.pi({ cwd: shop });
    const session = await onlySession();
    const message = (fields: object) => ({ type: 'message', message: fields });
    home.write(
      path.relative(home.dir, session.transcript),
      jsonl([
        { type: 'session', version: 3, id, cwd: shop, timestamp: new Date(NOON).toISOString() },
        message({ role: 'user', content: 'Go.' }),
        message({
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'a.ts' } }],
        }),
        message({ role: 'toolResult', toolCallId: 'c', isError: false, content: [] }),
        message({ role: 'bashExecution', command: 'git commit -m x', output: '[main 1a2b3c4] x' }),
      ]),
    );
    expect(await evidence()).toMatchObject({
      files: [{ path: `${shop}/a.ts`, access: 'written' }],
      commits: [{ sha: '1a2b3c4' }],
    });
  });
});

describe('evidence that was not read to the end', () => {
  it('says so', async () => {
    home.claude({ cwd: shop, prompts: ['a', 'b'] });
    expect((await evidence(traceLimits(60_000, 10))).complete).toBe(false);
    expect((await evidence(traceLimits(-1, 1_000_000))).complete).toBe(false);
    expect((await evidence()).complete).toBe(true);
  });
});

describe('commits in an output', () => {
  it('are those of git alone', () => {
    expect(commitsIn('echo "[main 1a2b3c4] x"', '[main 1a2b3c4] x')).toEqual([]);
    expect(commitsIn('cd x && git -C y commit -m z', 'noise\n[fix/a b 1a2b3c4d] z ]\n')).toEqual([
      { kind: 'commit', sha: '1a2b3c4d', branch: 'fix/a b', subject: 'z ]' },
    ]);
    expect(commitsIn('git commit', '[detached HEAD 1a2b3c4] z')).toEqual([
      { kind: 'commit', sha: '1a2b3c4', subject: 'z' },
    ]);
  });
});
