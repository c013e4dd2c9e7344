import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentFindings } from '../../cli/doctor/agent-findings.ts';
import { CAPTURED_VERSIONS } from '../../cli/doctor/captured-versions.ts';
import { gatherAgents } from '../../cli/doctor/gather-agents.ts';
import { liveDaemonFinding } from '../../cli/doctor/live-daemon.ts';
import { observerFindings } from '../../cli/doctor/observer-findings.ts';
import type { DaemonStatus } from '../../daemon-lite/service/status.ts';
import agents from '../lab/agents.json' with { type: 'json' };
import { FakeDaemon } from '../support/fake-daemon.ts';

describe('doctor on the agents', () => {
  let bin: string;
  beforeEach(() => {
    bin = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
  });
  afterEach(() => rmSync(bin, { recursive: true, force: true }));

  const around = () => ({
    env: { PATH: `${bin}:/usr/bin:/bin` },
    platform: process.platform,
    home: bin,
    uid: 1,
  });
  const put = (name: string, script: string) =>
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });

  it('knows which versions our recordings were made with', () => {
    const recorded = [agents.claude, agents.codex, agents.pi].map(({ packages }) =>
      packages[0]?.split('@').at(-1),
    );
    expect(Object.values(CAPTURED_VERSIONS)).toEqual(recorded);
  });

  it('compares the versions of those on the PATH with them', async () => {
    put('claude', 'echo "2.2.0 (Claude Code)"');
    put('codex', `echo "codex-cli ${CAPTURED_VERSIONS.codex}"`);
    put('pi', 'mkdir -p "$HOME/.pi"; exit 1');
    const found = agentFindings(await gatherAgents(around()));
    expect(found.map(({ level }) => level)).toEqual(['warning', 'ok', 'warning']);
    expect(found[0]).toMatchObject({
      text: `claude 2.2.0: our recordings were made with ${CAPTURED_VERSIONS.claude}`,
      fix: expect.stringContaining('omni-dev selftest --agent claude'),
    });
    expect(found[2]?.text).toContain('does not say its version');
    // What an agent makes of its home for that is not made in the person's.
    expect(readdirSync(bin).sort()).toEqual(['claude', 'codex', 'pi']);
  });

  it('makes nothing of another patch level, or of no agent', () => {
    const newer = { name: 'claude', program: '/c', version: '2.1.999' } as const;
    expect(agentFindings([newer]).map(({ level }) => level)).toEqual(['ok']);
    expect(agentFindings([]).map(({ level }) => level)).toEqual(['ok']);
  });
});

describe('doctor on the observer of shared Codex servers', () => {
  const status = (server: unknown): DaemonStatus => ({
    running: true,
    services: [
      {
        name: 'sessions',
        healthy: true,
        summary: '',
        detail: { codex: { '/h/.codex': { shared_server: server } } },
      },
    ],
  });

  it('tells which servers are read, and which socket is not safe to use', () => {
    expect(observerFindings(status({ attached: true, sessions: 2 }))).toMatchObject([
      { check: 'codex-observer', level: 'ok', text: expect.stringContaining('/h/.codex (2 session(s))') },
    ]);
    expect(observerFindings(status({ attached: false, problem: '/s belongs to user 7' }))).toMatchObject([
      { level: 'warning', text: expect.stringContaining('belongs to user 7'), fix: expect.any(String) },
    ]);
    expect(observerFindings(status({ attached: false, sessions: 0 }))).toEqual([]);
    expect(observerFindings(status('odd'))).toEqual([]);
    expect(observerFindings({ running: false })).toEqual([]);
  });
});

describe('doctor on the running daemon', () => {
  it.each([
    ['answers', undefined, 'ok'],
    ['cannot stream', (op: unknown) => (op === 'subscribe' ? refusal : undefined), 'warning'],
    ['answers something else', () => ({ ok: true, payload: {} }), 'problem'],
  ] as const)('that %s', async (_, answer, level) => {
    const daemon = await new FakeDaemon(answer === undefined ? undefined : ({ op }) => answer(op)).listen();
    daemon.streams = answer === undefined;
    expect(await liveDaemonFinding(daemon.socket)).toMatchObject({ check: 'subscription', level });
    await daemon.close();
    expect(await liveDaemonFinding(daemon.socket)).toMatchObject({ level: 'problem' });
  });
});

const refusal = { ok: false, error: 'unknown sessions op: subscribe' };
