import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../catalog/config.ts';
import { TestHome } from './support/homes.ts';

const NAME = '.plexusone/omnidevx/config.json';
let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

const load = (text?: string) => {
  if (text !== undefined) home.write(NAME, text);
  return loadConfig(home.around);
};

describe('the settings file', () => {
  it('may be missing', async () => {
    expect(await load()).toEqual({ workspaceRoots: [], workRefRules: undefined, cache: true });
  });

  it('may be empty of settings', async () => {
    expect(await load('{}')).toEqual({ workspaceRoots: [], workRefRules: undefined, cache: true });
  });

  it('holds roots, rules and whether to keep a cache', async () => {
    const rules = [{ name: 'ticket', pattern: '\\bSHOP-\\d+\\b' }];
    const text = JSON.stringify({
      workspaceRoots: ['~/go/src', '~', '/work'],
      workRefRules: rules,
      cache: false,
    });
    expect(await load(text)).toEqual({
      workspaceRoots: [path.join(home.dir, 'go/src'), home.dir, '/work'],
      workRefRules: rules,
      cache: false,
    });
  });

  it.each([
    ['not JSON', '{', /is not valid JSON/],
    ['empty', '', /is not valid JSON/],
    ['with comments', '{ // roots\n}', /is not valid JSON/],
    ['a list', '[]', /expected object/i],
    ['with an unknown key', '{"workspaceRoot": []}', /unknown key "workspaceRoot"/],
    [
      'with an unknown key in a rule',
      '{"workRefRules":[{"name":"a","pattern":"b","flags":"i"}]}',
      /unknown key "workRefRules\[0\]\.flags"/,
    ],
    ['with a wrong type', '{"workspaceRoots": "~/src"}', /workspaceRoots: /],
    [
      'with a relative root',
      '{"workspaceRoots": ["/a", "src"]}',
      /workspaceRoots\[1\]: "src" must be absolute/,
    ],
    ['with a rule without a name', '{"workRefRules":[{"pattern":"b"}]}', /workRefRules\[0\]\.name: /],
    [
      'with an invalid pattern',
      '{"workRefRules":[{"name":"a","pattern":"("}]}',
      /workRefRules\[0\]\.pattern: rule "a"/,
    ],
    ['with a look-ahead', '{"workRefRules":[{"name":"a","pattern":"(?=x)"}]}', /workRefRules\[0\]\.pattern/],
  ])('%s is an error that names file and key', async (_what, text, expected) => {
    const failure = await load(text).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CATALOG_CONFIG' });
    expect((failure as Error).message).toContain(path.join(home.dir, NAME));
    expect((failure as Error).message).toMatch(expected);
  });

  it('that cannot be read is an error that names it', async () => {
    mkdirSync(home.file(NAME), { recursive: true });
    await expect(load()).rejects.toThrow(/config\.json: cannot be read \(EISDIR\)/);
  });
});
