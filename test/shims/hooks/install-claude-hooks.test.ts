import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAUDE_HOOKS } from '../../../shims/hooks/claude-hooks.ts';
import {
  claudeSettingsFile,
  installClaudeHooks,
  uninstallClaudeHooks,
} from '../../../shims/hooks/install-claude-hooks.ts';
import { throwAwayHome } from '../support/home.ts';

const COMMAND = '/d/omni-dev sessions hook';
type Hooks = Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>;

function settings(text?: string) {
  const file = path.join(throwAwayHome().home, 'settings.json');
  if (text !== undefined) writeFileSync(file, text);
  return {
    file,
    install: (command = COMMAND) => installClaudeHooks({ file, command }),
    uninstall: () => uninstallClaudeHooks({ file }),
    text: () => readFileSync(file, 'utf8'),
    hooks: () => (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Hooks }).hooks,
  };
}

const withHooks = (hooks: unknown) => JSON.stringify({ hooks }, null, 2);
const sink = (command: string, more = {}) => ({ type: 'command', command, ...more });

describe("where Claude's settings are", () => {
  const { around } = throwAwayHome();
  const at = (env: Record<string, string>, named?: string) =>
    claudeSettingsFile({ ...around, home: '/h', env }, named);
  it.each([
    [{}, undefined, '/h/.claude/settings.json'],
    [{ CLAUDE_CONFIG_DIR: '/c' }, undefined, '/c/settings.json'],
    [{ CLAUDE_CONFIG_DIR: '' }, undefined, '/h/.claude/settings.json'],
    [{ CLAUDE_CONFIG_DIR: '/c' }, '/s.json', '/s.json'],
  ])('%j %s', (env, named, file) => expect(at(env as Record<string, string>, named)).toBe(file));
});

describe("installing Claude's hooks", () => {
  it('says how many and which command', async () => {
    const at = settings();
    expect((await at.install()).messages).toEqual([
      `installed 17 sessions hook event(s) into ${at.file}`,
      `command: ${COMMAND}`,
    ]);
    expect((await at.install()).messages).toEqual([
      `sessions hooks already installed in ${at.file} (no change)`,
    ]);
  });

  it('never makes a turn wait, except for a permission request and the end', async () => {
    const at = settings();
    await at.install();
    const awaited = Object.entries(at.hooks())
      .filter(([, groups]) => groups.some((group) => group.hooks.some((hook) => hook.async !== true)))
      .map(([event]) => event);
    expect(awaited.sort()).toEqual(['PermissionRequest', 'SessionEnd']);
  });

  it('bounds every hook in seconds, the end most', async () => {
    const at = settings();
    await at.install();
    for (const { event, timeout } of CLAUDE_HOOKS)
      expect(at.hooks()[event]?.[0]?.hooks[0]?.timeout).toBe(timeout);
    expect(at.hooks().SessionEnd?.[0]?.hooks[0]?.timeout).toBeLessThanOrEqual(3);
  });

  it('keeps comments, other hooks, order and mode', async () => {
    const at = settings(
      '{\n  // mine\n  "z": 1,\n  "hooks": {\n    "Stop": [ { "hooks": [] } ] // theirs\n  },\n  "a": 2\n}\n',
    );
    chmodSync(at.file, 0o600);
    await at.install();
    expect(at.text()).toMatch(
      /^\{\n {2}\/\/ mine\n {2}"z": 1,\n {2}"hooks": \{\n {4}"Stop": \[ \{ "hooks": \[\] \}, /,
    );
    expect(at.text()).toMatch(/\/\/ theirs\n {4}"SessionStart"/);
    expect(at.text()).toMatch(/\n {2}"a": 2\n\}\n$/);
    expect(statSync(at.file).mode & 0o777).toBe(0o600);
  });

  it('rewrites a moved sink where it sits, and drops a second one beside it', async () => {
    const own = {
      matcher: 'X',
      hooks: [sink('other'), sink('/old/omni-dev sessions hook', { statusMessage: 's' })],
    };
    const at = settings(withHooks({ Stop: [own, { hooks: [sink(COMMAND)] }, { hooks: [sink('later')] }] }));
    const { counts, messages } = await at.install();
    expect(counts).toEqual({ added: 16, rewritten: 1, removed: 1, leftAlone: 0 });
    expect(at.hooks().Stop).toEqual([
      {
        matcher: 'X',
        hooks: [sink('other'), sink(COMMAND, { statusMessage: 's', async: true, timeout: 10 })],
      },
      { hooks: [sink('later')] },
    ]);
    expect(messages).toContain(`updated 1 sessions hook entry(ies) in ${at.file}`);
  });

  it("keeps a timeout of the user's own", async () => {
    const at = settings(
      withHooks({ Stop: [{ hooks: [sink('/old/omni-dev sessions hook', { timeout: 1, async: false })] }] }),
    );
    await at.install();
    expect(at.hooks().Stop?.[0]?.hooks).toEqual([sink(COMMAND, { timeout: 1, async: false })]);
  });

  it('turns the exec form into the installed one', async () => {
    const at = settings(
      withHooks({ Stop: [{ hooks: [sink('/old/omni-dev', { args: ['sessions', 'hook'] })] }] }),
    );
    await at.install();
    expect(at.hooks().Stop?.[0]?.hooks).toEqual([sink(COMMAND, { async: true, timeout: 10 })]);
  });

  it('rewrites sinks of events that are not hooked any more', async () => {
    const at = settings(withHooks({ PostToolBatch: [{ hooks: [sink('/old/omni-dev sessions hook')] }] }));
    expect((await at.install()).counts).toMatchObject({ added: 17, rewritten: 1 });
    expect(at.hooks().PostToolBatch?.[0]?.hooks[0]?.command).toBe(COMMAND);
  });

  it('counts customised sinks and leaves them', async () => {
    const at = settings(withHooks({ Stop: [{ hooks: [sink('nice omni-dev sessions hook')] }] }));
    const { counts, messages } = await at.install();
    expect(counts).toMatchObject({ added: 17, leftAlone: 1 });
    expect(messages.join('\n')).toContain('left 1 customised sessions hook entry(ies)');
    expect(at.hooks().Stop?.[0]?.hooks).toEqual([sink('nice omni-dev sessions hook')]);
  });

  it.each([[withHooks(5)], [withHooks([])], [withHooks('x')]])(
    'leaves hooks of another type alone: %s',
    async (text) => {
      const at = settings(text);
      const { changed, messages } = await at.install();
      expect(changed).toBe(false);
      expect(at.text()).toBe(text);
      expect(messages).toEqual([
        `"hooks" in ${at.file} is no object; it was left alone, and nothing is installed`,
      ]);
      expect((await at.uninstall()).changed).toBe(false);
    },
  );

  it.each([
    [{ Stop: [null, 5, 'x', { hooks: 5 }, { hooks: [null, { type: 'http' }, { type: 'command' }] }] }],
    [{ Stop: [{ hooks: [{ type: 'http', command: COMMAND }] }] }],
  ])('passes over what it does not know: %j', async (hooks) => {
    const at = settings(withHooks(hooks));
    expect((await at.install()).counts.added).toBe(17);
    expect(at.hooks().Stop?.slice(0, hooks.Stop.length)).toEqual(hooks.Stop);
    expect((await at.uninstall()).counts.removed).toBe(17);
    expect(at.hooks()).toEqual(hooks);
  });

  it('says that all hooks are switched off', async () => {
    expect((await settings('{"disableAllHooks": true}').install()).messages.join('\n')).toContain(
      'disableAllHooks',
    );
  });
});

describe("uninstalling Claude's hooks", () => {
  it('keeps groups and events of others, empty ones too', async () => {
    const theirs = { Stop: [{ hooks: [] }, { hooks: [sink('a')] }], MyEvent: [] };
    const at = settings(withHooks(theirs));
    await at.install();
    const { messages } = await at.uninstall();
    expect(at.hooks()).toEqual(theirs);
    expect(messages).toEqual([`removed 17 sessions hook entry(ies) from ${at.file}`]);
  });

  it('is content with nothing there', async () => {
    const at = settings();
    expect((await at.uninstall()).messages).toEqual([`no settings file at ${at.file} (nothing to remove)`]);
  });
});
