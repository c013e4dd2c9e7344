import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveTimeout, snakeCase } from '../../../shims/hooks/codex-events.ts';
import { codexHookHash, codexHookTrust } from '../../../shims/hooks/codex-trust.ts';
import {
  installCodexHooks,
  readCodexTrust,
  uninstallCodexHooks,
} from '../../../shims/hooks/install-codex-hooks.ts';
import { throwAwayHome } from '../support/home.ts';

interface Captured {
  hooksJson: {
    hooks: Record<
      string,
      {
        matcher?: string;
        hooks: { command: string; timeout?: number; async?: boolean; statusMessage?: string }[];
      }[]
    >;
  };
  listed: { key: string; currentHash: string; timeoutSec: number }[];
}
const captured = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'data', 'codex-hooks-list.json'), 'utf8'),
) as Captured;

const COMMAND = '/d/omni-dev sessions hook --agent codex';

/** Every captured entry with the key Codex gives it. */
const entries = Object.entries(captured.hooksJson.hooks).flatMap(([event, groups]) =>
  groups.flatMap((group, g) =>
    group.hooks.map((hook, h) => ({
      key: `HOME/hooks.json:${snakeCase(event)}:${g}:${h}`,
      event,
      group,
      hook,
    })),
  ),
);

describe('the hash Codex trusts a hook by', () => {
  it.each(captured.listed)('$key', ({ key, currentHash, timeoutSec }) => {
    const entry = entries.find((candidate) => candidate.key === key);
    if (entry === undefined) throw new Error('not captured');
    const { event, group, hook } = entry;
    const { command, timeout, statusMessage } = hook;
    expect(
      codexHookHash({
        event,
        command,
        isAsync: hook.async === true,
        ...(group.matcher === undefined ? {} : { matcher: group.matcher }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(statusMessage === undefined ? {} : { statusMessage }),
      }),
    ).toBe(currentHash);
    expect(effectiveTimeout(event, timeout)).toBe(timeoutSec);
  });
});

describe('the trust of our hooks', () => {
  const hooksJson = JSON.stringify(captured.hooksJson);
  const state = (key: string, fields: string) => `[hooks.state."HOME/hooks.json:${key}"]\n${fields}\n`;
  const hashOf = (key: string) =>
    captured.listed.find((one) => one.key.endsWith(`:${key}`))?.currentHash ?? '';
  const trustOf = (config: string | undefined, event = 'Stop') =>
    codexHookTrust(hooksJson, ['HOME/hooks.json'], config)
      .filter((status) => status.event === event)
      .map((status) => status.trust);

  it('is none without a config, or with one that says nothing', () => {
    expect(trustOf(undefined)).toEqual(['untrusted', 'untrusted']);
    expect(trustOf('model = "x"\n[hooks]\nstate = 5\n')).toEqual(['untrusted', 'untrusted']);
  });

  it('is told per hook: trusted, modified, disabled', () => {
    const config =
      state('stop:0:0', `trusted_hash = "${hashOf('stop:0:0')}"`) +
      state('stop:1:0', 'trusted_hash = "sha256:0"') +
      state('interrupt:0:0', `enabled = false\ntrusted_hash = "${hashOf('interrupt:0:0')}"`);
    expect(trustOf(config)).toEqual(['trusted', 'modified']);
    expect(trustOf(config, 'Interrupt')[0]).toBe('disabled');
  });

  it('counts for hooks that are ours only', () => {
    const theirs = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'other' }] }] } });
    expect(codexHookTrust(theirs, ['HOME/hooks.json'], '')).toEqual([]);
  });
});

describe('a Codex home', () => {
  function codexHome() {
    const home = path.join(throwAwayHome().home, '.codex');
    mkdirSync(home);
    return home;
  }

  /** What the user does in `/hooks`. */
  function trustAll(home: string): void {
    const states = readCodexTrust(home).map(({ key, event }) => {
      const matcher = /ToolUse/.test(event) ? '*' : undefined;
      const timeout = /Interrupt|SessionEnd/.test(event) ? 3 : 5;
      const hash = codexHookHash({
        event,
        command: COMMAND,
        timeout,
        ...(matcher === undefined ? {} : { matcher }),
      });
      return `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`;
    });
    writeFileSync(path.join(home, 'config.toml'), states.join(''));
  }

  it('C6: says the trust step until every hook is trusted', async () => {
    const home = codexHome();
    const first = await installCodexHooks({ home, command: COMMAND });
    expect(first.messages[0]).toBe(`installed 12 sessions hook event(s) into ${home}/hooks.json`);
    expect(first.messages.join('\n')).toContain('run /hooks');
    expect(readCodexTrust(home).map((status) => status.trust)).toEqual(Array(12).fill('untrusted'));
    trustAll(home);
    expect(readCodexTrust(home).every((status) => status.trust === 'trusted')).toBe(true);
    expect((await installCodexHooks({ home, command: COMMAND })).messages.join('\n')).not.toContain(
      'run /hooks',
    );
    await installCodexHooks({ home, command: `/new${COMMAND}` });
    expect(readCodexTrust(home).every((status) => status.trust === 'modified')).toBe(true);
  });

  it('is known by its real path when it is reached through a link', async () => {
    const home = codexHome();
    await installCodexHooks({ home, command: COMMAND });
    trustAll(home);
    symlinkSync(home, `${home}-link`);
    expect(readCodexTrust(`${home}-link`).every((status) => status.trust === 'trusted')).toBe(true);
  });

  it('keeps trust across an installation that changes nothing', async () => {
    const home = codexHome();
    await installCodexHooks({ home, command: COMMAND });
    trustAll(home);
    expect((await installCodexHooks({ home, command: COMMAND, codexVersion: '0.171.0' })).changed).toBe(
      false,
    );
  });

  it('has nothing to remove when nothing is there', async () => {
    const home = codexHome();
    expect((await uninstallCodexHooks({ home })).messages).toEqual([
      `no Codex hooks at ${home}/hooks.json (nothing to remove)`,
    ]);
    expect(readCodexTrust(home)).toEqual([]);
  });
});
