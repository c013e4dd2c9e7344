import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installWrapper } from '../../../shims/editors/install-wrapper.ts';
import { runSetup } from '../../../shims/setup/run-setup.ts';
import { runTeardown } from '../../../shims/setup/run-teardown.ts';
import { planSetup, type SetupKind } from '../../../shims/setup/setup-plan.ts';
import { setupRecordPath } from '../../../shims/setup/setup-record.ts';
import { fakeBuild } from '../support/fake-build.ts';
import { folderSnapshot } from '../support/folder-snapshot.ts';
import { throwAwayHome } from '../support/home.ts';
import { settingsDocument } from '../support/settings-documents.ts';

const CODE = '.config/Code/User/settings.json';
const CURSOR = '.config/Cursor/User/settings.json';
const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';
const WRAPPER = 'claudeCode.claudeProcessWrapper';

function machine() {
  const at = throwAwayHome();
  const { around, paths, home } = at;
  mkdirSync(path.join(home, '.local', 'share'), { recursive: true });
  const builtIn = fakeBuild().folder;
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  };
  const options = { around, paths, builtIn };
  return {
    ...at,
    builtIn,
    put,
    read: (name: string) => readFileSync(path.join(home, name), 'utf8'),
    plan: () => planSetup(options),
    setup: async (only?: SetupKind) => {
      const { steps } = await planSetup(options);
      return runSetup(
        options,
        steps.filter((step) => only === undefined || step.kind === only),
      );
    },
    teardown: () => runTeardown({ around, paths }),
    snapshot: () => folderSnapshot(home),
  };
}

/** A machine on which every agent and two editors are used. */
function fullMachine(text = '{\n  // mine\n  "a": 1\n}\n') {
  const at = machine();
  for (const name of [CODE, CURSOR, CLAUDE, CODEX]) at.put(name, text);
  mkdirSync(path.join(at.home, '.pi', 'agent'), { recursive: true });
  return at;
}

describe('the plan of a setup', () => {
  it('finds nothing on a machine without agents', async () => {
    const at = machine();
    expect(await at.plan()).toEqual({ steps: [], notFound: ['an editor', 'Claude Code', 'Codex', 'pi'] });
  });

  it('tells for each editor and agent what would change, and changes nothing', async () => {
    const at = fullMachine();
    at.put('.cursor-server/x', '');
    at.put(CURSOR, '{,}');
    const before = at.snapshot();
    const { steps, notFound } = await at.plan();
    expect(steps.map(({ title, change }) => [title, change])).toEqual([
      ['Code', 'edit'],
      ['Cursor', 'refused'],
      ['Cursor Server', 'create'],
      ['Claude Code', 'edit'],
      ['Codex', 'edit'],
      ['pi', 'create'],
    ]);
    expect(steps[1]?.refused).toContain('not valid JSON');
    expect(notFound).toEqual([]);
    expect(at.snapshot()).toEqual(before);
  });

  it('says beforehand what it will leave alone: hooks of another shape, a file of others under our name', async () => {
    const at = fullMachine('{"hooks": []}');
    at.put('.pi/agent/extensions/omni-dev-sessions.ts', '// mine\n');
    const { steps } = await at.plan();
    expect(steps.map(({ title, change }) => [title, change])).toEqual([
      ['Code', 'edit'],
      ['Cursor', 'edit'],
      ['Claude Code', 'refused'],
      ['Codex', 'refused'],
      ['pi', 'refused'],
    ]);
    expect(steps[2]?.refused).toContain('is no object');
    expect(steps[3]?.refused).toContain('is no object');
    expect(steps[4]?.refused).toContain('was not written by omni-dev');
    const { messages } = await at.setup('codex-hooks');
    expect(messages).toEqual([steps[3]?.refused]);
  });

  it('has nothing to change after a setup', async () => {
    const at = fullMachine();
    await at.setup();
    expect((await at.plan()).steps.map((step) => step.change)).toEqual(Array(5).fill('nothing'));
    expect((await at.setup()).changed).toBe(false);
  });
});

describe('teardown after a setup', { timeout: 120_000 }, () => {
  it('leaves every file byte for byte, mode and link as before', async () => {
    const at = fullMachine();
    at.put('dotfiles/claude.json', '{"model":"x"}');
    const linked = path.join(at.home, '.claude', 'settings.local.json');
    symlinkSync('../dotfiles/claude.json', linked);
    chmodSync(path.join(at.home, CODEX), 0o600);
    const before = at.snapshot();
    const { refused, messages } = await at.setup();
    expect(refused).toEqual([]);
    expect(messages.join('\n')).toContain('/hooks');
    expect(at.snapshot()).not.toEqual(before);
    expect((await at.teardown()).refused).toEqual([]);
    expect(at.snapshot()).toEqual(before);
  });

  it('leaves any settings document as it was', async () => {
    await fc.assert(
      fc.asyncProperty(settingsDocument, async ({ text }) => {
        const at = fullMachine(text);
        const before = at.snapshot();
        await at.setup();
        await at.setup();
        await at.teardown();
        expect(at.snapshot()).toEqual(before);
      }),
      { numRuns: 15 },
    );
  });

  it.each(['', '   \n', '{}', '{ }', '{"model":"x"}', '// mine', '\uFEFF{\r\n}\r\n', '{"hooks": {}}'])(
    'leaves %j as it was',
    async (text) => {
      const at = fullMachine(text);
      const before = at.snapshot();
      await at.setup();
      await at.teardown();
      expect(at.snapshot()).toEqual(before);
    },
  );

  it('removes files and folders that were not there', async () => {
    const at = machine();
    for (const folder of ['.config/Code', '.vscode-server', '.claude', '.codex'])
      mkdirSync(path.join(at.home, folder), { recursive: true });
    const before = at.snapshot();
    await at.setup();
    await at.teardown();
    expect(at.snapshot()).toEqual(before);
  });

  it('takes a setup back that was made in several goes', async () => {
    const at = fullMachine();
    const before = at.snapshot();
    for (const kind of ['editor', 'claude-hooks', 'codex-hooks', 'pi-extension'] as const)
      await at.setup(kind);
    await at.teardown();
    expect(at.snapshot()).toEqual(before);
  });

  it('takes setups back that ran at the same time', async () => {
    const at = fullMachine('{"a": 1}');
    const before = at.snapshot();
    await Promise.all([at.setup(), at.setup(), at.setup()]);
    await at.teardown();
    expect(at.snapshot()).toEqual(before);
  });

  it('takes our entries out where somebody else changed the file since', async () => {
    const at = fullMachine();
    await at.setup();
    for (const name of [CODE, CLAUDE, CODEX])
      at.put(name, at.read(name).replace('"a": 1,', '"a": 2, // changed'));
    await at.teardown();
    for (const name of [CODE, CLAUDE, CODEX])
      expect(at.read(name)).toBe('{\n  // mine\n  "a": 2 // changed\n}\n');
    expect(at.read(CURSOR)).toBe('{\n  // mine\n  "a": 1\n}\n');
  });

  it('takes our entries out when the change came between two setups', async () => {
    const at = fullMachine();
    await at.setup();
    at.put(CLAUDE, at.read(CLAUDE).replace(/ {4}"Stop": \[[\s\S]*?\n {4}\],\n/, ''));
    expect((await at.setup()).changed).toBe(true);
    await at.teardown();
    expect(at.read(CLAUDE)).toBe('{\n  // mine\n  "a": 1\n}\n');
  });

  it("gives another wrapper's setting back, also in a file that was changed", async () => {
    const at = machine();
    at.put(CODE, `{\n  "${WRAPPER}": "/opt/other"\n}\n`);
    await at.setup();
    at.put(CODE, at.read(CODE).replace('{\n', '{\n  "b": 2,\n'));
    await at.teardown();
    expect(at.read(CODE)).toBe(`{\n  "b": 2,\n  "${WRAPPER}": "/opt/other"\n}\n`);
  });

  it('keeps the programs while a broken file may still name them, and finishes later', async () => {
    const at = fullMachine();
    const before = at.snapshot();
    await at.setup();
    const installed = at.read(CURSOR);
    at.put(CURSOR, `${installed}}`);
    const { refused, messages } = await at.teardown();
    expect(refused.map((error) => error.code)).toEqual(['CONFIG_NOT_JSON']);
    expect(messages.at(-1)).toContain('kept the programs');
    expect(existsSync(at.paths.wrapperShim)).toBe(true);
    at.put(CURSOR, installed);
    expect((await at.teardown()).refused).toEqual([]);
    expect(at.snapshot()).toEqual(before);
  });

  it('is not held up by a broken file that does not name us', async () => {
    const at = fullMachine();
    await at.setup('claude-hooks');
    at.put(CURSOR, '{,}');
    const { refused, messages } = await at.teardown();
    expect(refused).toEqual([]);
    expect(messages.join('\n')).toContain(`${path.join(at.home, CURSOR)} is not valid JSON`);
    expect(existsSync(at.paths.runtimeDir)).toBe(false);
  });

  it('also takes out what was installed without a setup', async () => {
    const at = fullMachine();
    await installWrapper({ around: at.around, paths: at.paths, builtIn: at.builtIn });
    await at.teardown();
    expect(at.read(CODE)).toBe('{\n  // mine\n  "a": 1\n}\n');
    expect(existsSync(at.paths.runtimeDir)).toBe(false);
  });

  it('has nothing to do on a machine that was never set up', async () => {
    const at = fullMachine();
    const before = at.snapshot();
    expect(await at.teardown()).toEqual({ messages: [], changed: false, refused: [] });
    expect(at.snapshot()).toEqual(before);
  });

  it("leaves what is not ours in the runtime's folder", async () => {
    const at = fullMachine();
    await at.setup();
    writeFileSync(path.join(at.paths.runtimeDir, 'daemon.log'), 'kept');
    await at.teardown();
    expect(existsSync(path.join(at.paths.runtimeDir, 'daemon.log'))).toBe(true);
    expect(existsSync(at.paths.bundlesDir)).toBe(false);
  });
});

describe('the record of a setup', () => {
  it('is private and holds nothing of the settings it edited', async () => {
    const at = fullMachine('{\n  "env": { "TOKEN": "secret" }\n}\n');
    await at.setup();
    const record = readFileSync(setupRecordPath(at.paths), 'utf8');
    expect(record).not.toContain('secret');
    expect(at.snapshot()['.local/share/omni-dev/setup.json']).toMatch(/^file 600 /);
  });

  it('is not overwritten when it cannot be read', async () => {
    const at = fullMachine();
    await at.setup();
    writeFileSync(setupRecordPath(at.paths), '{"version": 9');
    await expect(at.setup()).rejects.toThrow(setupRecordPath(at.paths));
    await expect(at.teardown()).rejects.toThrow('Move it away');
  });
});
