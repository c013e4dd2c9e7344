import { describe, expect, it } from 'vitest';
import {
  canonicalCommand,
  isSameCommand,
  isUncustomised,
  readSinkCommand,
} from '../../../shims/hooks/sink-command.ts';

describe('the installed command', () => {
  it.each([
    ['/usr/bin/omni-dev', 'claude', '/usr/bin/omni-dev sessions hook'],
    ['/usr/bin/omni-dev', 'codex', '/usr/bin/omni-dev sessions hook --agent codex'],
    [
      '/Users/u/Library/Application Support/omni-dev/bin/omni-dev',
      'claude',
      "'/Users/u/Library/Application Support/omni-dev/bin/omni-dev' sessions hook",
    ],
  ] as const)('of %s for %s', (shim, agent, command) => {
    expect(canonicalCommand(shim, agent)).toBe(command);
    const sink = readSinkCommand(command);
    expect(sink?.program).toBe(shim);
    expect(sink && isUncustomised(sink, agent)).toBe(true);
  });
});

describe('a hook command', () => {
  it.each([
    'omni-dev sessions hook',
    '"/old path/omni-dev" sessions hook',
    '/old\\ path/omni-dev sessions hook',
    "'/o'\\''hara/omni-dev'  sessions\thook",
    '$HOME/bin/omni-dev sessions hook',
    '/old/omni-dev sessions hook --agent claude',
    '/old/omni-dev sessions hook --agent=claude',
  ])('is our own, as it was installed: %s', (command) => {
    const sink = readSinkCommand(command);
    expect(sink && isUncustomised(sink, 'claude')).toBe(true);
  });

  it.each([
    'omni-dev sessions hook --socket /s',
    'omni-dev sessions hook --agent codex',
    'omni-dev sessions hook 2>/dev/null',
    'omni-dev sessions hook || true',
    'omni-dev sessions hook; other',
    'FOO=1 omni-dev sessions hook',
    'nice omni-dev sessions hook',
    'cd /x && omni-dev sessions hook',
    'npx omni-dev sessions hook',
    '(omni-dev sessions hook)',
  ])('is our own, adapted by somebody: %s', (command) => {
    const sink = readSinkCommand(command);
    expect(sink).toBeDefined();
    expect(sink && isUncustomised(sink, 'claude')).toBe(false);
  });

  it.each([
    '',
    'omni-dev',
    'omni-dev sessions',
    'omni-dev sessions list',
    'omni-dev sessions hooks',
    'omni-dev sessions "hook list"',
    'my-omni-dev sessions hook',
    'omni-dev-2 sessions hook',
    'omni-dev/ sessions hook-x',
    'omni-dev; sessions hook',
    'echo "omni-dev sessions hook"',
    "echo 'omni-dev sessions hook",
  ])('is not ours: %s', (command) => expect(readSinkCommand(command)).toBeUndefined());

  it('may be in the exec form', () => {
    expect(readSinkCommand('/x y/omni-dev', ['sessions', 'hook'])).toMatchObject({
      args: [],
      isWrapped: false,
    });
    expect(readSinkCommand('/x/omni-dev', ['sessions', 'list'])).toBeUndefined();
  });

  it('is the same one however it is quoted', () => {
    expect(isSameCommand('"/a b/omni-dev" sessions hook', "'/a b/omni-dev' sessions hook")).toBe(true);
    expect(isSameCommand('/a/omni-dev sessions hook', '/b/omni-dev sessions hook')).toBe(false);
  });
});
