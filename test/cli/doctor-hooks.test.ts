import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../cli/doctor/finding.ts';
import {
  type ClaudeHookFacts,
  claudeHookFindings,
  codexHookFindings,
  type InstalledHook,
  piFindings,
} from '../../cli/doctor/hooks-findings.ts';
import { runCommand } from './support/run-cli.ts';

const levels = (findings: Finding[]) => findings.map(({ level }) => level);

function hook(event: string, over: Partial<InstalledHook> = {}): InstalledHook {
  return {
    event,
    command: '/d/omni-dev sessions hook',
    programExists: true,
    isCurrent: true,
    isCustomised: false,
    ...over,
  };
}

describe('doctor on Claude’s hooks', () => {
  const facts: ClaudeHookFacts = {
    file: '/h/settings.json',
    hooks: [hook('Stop'), hook('PreToolUse')],
    wantedEvents: ['Stop', 'PreToolUse'],
    allDisabled: false,
    others: 0,
  };
  const withFacts = (over: Partial<ClaudeHookFacts>) => claudeHookFindings({ ...facts, ...over });

  it('is content with all of them, or none', () => {
    expect(levels(withFacts({}))).toEqual(['ok']);
    expect(levels(withFacts({ hooks: [] }))).toEqual(['ok']);
    expect(
      levels(
        withFacts({ hooks: [hook('Stop', { isCurrent: false, isCustomised: true }), hook('PreToolUse')] }),
      ),
    ).toEqual(['ok']);
  });

  it.each<[string, Partial<ClaudeHookFacts>, string, RegExp]>([
    [
      'a hook’s program is gone',
      { hooks: [hook('Stop', { programExists: false }), hook('PreToolUse')] },
      'problem',
      /is gone/,
    ],
    [
      'a hook runs another omni-dev',
      { hooks: [hook('Stop', { isCurrent: false }), hook('PreToolUse')] },
      'warning',
      /another omni-dev/,
    ],
    [
      'an event is hooked twice',
      { hooks: [...facts.hooks, hook('Stop')] },
      'warning',
      /more than one sink on Stop/,
    ],
    ['an event is missing', { hooks: [hook('Stop')] }, 'warning', /not installed on PreToolUse/],
    ['all hooks are switched off', { allDisabled: true }, 'warning', /disableAllHooks/],
    ['the file cannot be read', { broken: 'no JSON' }, 'problem', /no JSON/],
  ])('speaks up when %s', (_, over, level, text) => {
    const [first] = withFacts(over);
    expect(first).toMatchObject({ level, text: expect.stringMatching(text), fix: expect.any(String) });
  });

  it('C12: tells of other tools on the same events', () => {
    expect(withFacts({ others: 3 }).at(-1)?.text).toContain('3 hook(s) of other tools');
  });
});

describe('doctor on Codex’s hooks', () => {
  it('C6: tells which ones Codex skips, and why', () => {
    const hooks = [
      { event: 'Stop', trust: 'trusted' },
      { event: 'PreToolUse', trust: 'untrusted' },
      { event: 'SessionEnd', trust: 'modified' },
    ] as const;
    const facts = { isHere: true, installed: [], others: 0, hooks };
    const [finding] = codexHookFindings(facts);
    expect(finding).toMatchObject({
      level: 'warning',
      text: 'Codex skips PreToolUse (untrusted), SessionEnd (modified)',
    });
    expect(finding?.fix).toContain('/hooks');
    expect(levels(codexHookFindings({ ...facts, hooks: [hooks[0]] }))).toEqual(['ok']);
    expect(levels(codexHookFindings({ ...facts, hooks: [], broken: 'bad' }))).toEqual(['problem']);
    expect(codexHookFindings({ ...facts, isHere: false, hooks: [] })).toEqual([]);
  });

  it('tells of stale and doubled ones, and of other tools', () => {
    const trusted = [{ event: 'Stop', trust: 'trusted' }] as const;
    const facts = { isHere: true, installed: [hook('Stop')], others: 2, hooks: trusted };
    expect(codexHookFindings(facts).map(({ text }) => text)).toEqual([
      'installed and trusted on 1 event(s)',
      '2 hook(s) of other tools run on the same events',
    ]);
    const gone = [hook('Stop', { programExists: false }), hook('Stop')];
    expect(levels(codexHookFindings({ ...facts, installed: gone, others: 0 }))).toEqual([
      'problem',
      'warning',
    ]);
  });
});

describe('doctor on pi’s extension', () => {
  it.each([
    [true, 'missing', ['warning']],
    [false, 'missing', []],
    [true, 'ours', ['ok']],
    [false, 'foreign', ['problem']],
  ] as const)('with pi here: %s, extension %s', (isHere, extension, expected) => {
    expect(levels(piFindings({ isHere, file: '/f', extension }))).toEqual(expected);
  });
});

describe('omni-dev doctor after install-hooks', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function findings(check: string): Promise<Finding[]> {
    const result = await runCommand(['doctor', '--quick', '-o', 'json'], around());
    const report = JSON.parse(result.stdout) as { findings: Finding[] };
    return report.findings.filter((finding) => finding.check === check);
  }
  const around = () => ({ home, env: { HOME: home, PATH: '/usr/bin:/bin' } });

  it('finds what was installed, what became stale, and what Codex was not told to trust', async () => {
    mkdirSync(path.join(home, '.codex'));
    expect(levels(await findings('claude-hooks'))).toEqual(['ok']);
    await runCommand(['sessions', 'install-hooks'], around());
    expect(levels(await findings('claude-hooks'))).toEqual(['ok']);
    expect(await findings('codex-hooks')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('untrusted') },
    ]);

    const settings = path.join(home, '.claude/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('.local/share', '.gone/share'));
    expect((await findings('claude-hooks'))[0]).toMatchObject({
      level: 'problem',
      text: expect.stringContaining('is gone'),
    });
    appendFileSync(settings, '}');
    expect(levels(await findings('claude-hooks'))).toEqual(['problem']);
  });
});
