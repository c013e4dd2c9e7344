import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../shims/edit/json-text.ts';
import {
  CODEX_HOOKS,
  effectiveTimeout,
  runsAsyncHooks,
  snakeCase,
  takesMatcher,
} from '../../../shims/hooks/codex-events.ts';
import { addCodexHooks, removeCodexHooks } from '../../../shims/hooks/codex-hooks.ts';

const COMMAND = '/d/omni-dev sessions hook --agent codex';
const OURS = { hooks: [{ type: 'command', command: COMMAND, timeout: 5 }] };
type Group = { matcher?: string; hooks: { command?: string; timeout?: number; async?: boolean }[] };
const group = (...commands: string[]): Group => ({
  hooks: commands.map((command) => ({ type: 'command', command })),
});

function install(hooks: unknown, runsAsync = false) {
  const text = new JsonText(JSON.stringify({ hooks }, null, 2));
  const counts = addCodexHooks(text, { command: COMMAND, runsAsync });
  return { counts, text, hooks: text.value(['hooks']) as Record<string, Group[]> };
}

function uninstall(hooks: unknown) {
  const text = new JsonText(JSON.stringify({ hooks }, null, 2));
  const counts = removeCodexHooks(text);
  return { counts, hooks: text.value(['hooks']) };
}

describe("installing Codex's hooks", () => {
  it('hooks twelve events: not those that would delay each request to the model', () => {
    const { hooks, counts } = install({});
    expect(counts.added).toBe(12);
    expect(Object.keys(hooks)).toEqual(CODEX_HOOKS.map(({ event }) => event));
    expect(hooks).not.toHaveProperty('PreModelRequest');
    expect(hooks).not.toHaveProperty('PostModelRequest');
  });

  it('C7: writes a matcher for tools only, and none where Codex takes none', () => {
    const { hooks } = install({});
    const matched = Object.entries(hooks).filter(([, [first]]) => first?.matcher !== undefined);
    expect(matched.map(([event]) => event)).toEqual(['PreToolUse', 'PostToolUse']);
    for (const [event] of matched) expect(takesMatcher(event)).toBe(true);
  });

  it('asks for no more time than Codex gives', () => {
    for (const [event, [first]] of Object.entries(install({}).hooks)) {
      const timeout = first?.hooks[0]?.timeout;
      expect(effectiveTimeout(event, timeout)).toBe(timeout);
    }
  });

  it('runs beside the turn only where that loses nothing and Codex can', () => {
    const asynchronous = (runsAsync: boolean) =>
      Object.entries(install({}, runsAsync).hooks).filter(([, [first]]) => first?.hooks[0]?.async === true);
    expect(asynchronous(false)).toEqual([]);
    expect(asynchronous(true).map(([event]) => event)).toEqual(['PostToolUse']);
  });

  it.each([
    ['0.155.1', false],
    ['0.171.0', true],
    ['1.0.0', true],
    ['nonsense', false],
    [undefined, false],
  ])('Codex %s runs async hooks: %s', (version, expected) => expect(runsAsyncHooks(version)).toBe(expected));

  it('C7: only appends, so that no other hook loses its position', () => {
    const { hooks } = install({ Stop: [group('a'), { hooks: [] }, group('b')] });
    expect(hooks.Stop).toEqual([group('a'), { hooks: [] }, group('b'), OURS]);
  });

  it('changes every other sink of ours where it sits, whatever its arguments', () => {
    const old = [group('a'), group('/old/omni-dev sessions hook --socket /s', 'b'), group('c')];
    const { hooks, counts } = install({ Stop: old });
    expect(counts).toMatchObject({ added: 11, rewritten: 1 });
    expect(hooks.Stop?.map(({ hooks: held }) => held.map((hook) => hook.command))).toEqual([
      ['a'],
      [COMMAND, 'b'],
      ['c'],
    ]);
  });

  it('changes nothing the second time, so that trust lasts', () => {
    const { hooks } = install({ Stop: [group('a')] }, false);
    expect(install(hooks, true).text.isEdited).toBe(false);
  });

  it('leaves one second sink inert and keeps the positions behind it', () => {
    const { hooks, counts } = install({
      Stop: [group(COMMAND), group('omni-dev sessions hook'), group('b')],
    });
    expect(hooks.Stop).toEqual([group(COMMAND), { hooks: [] }, group('b')]);
    expect(counts.removed).toBe(1);
  });

  it('leaves a sink behind other words to whoever put it there', () => {
    const { hooks, counts } = install({ Stop: [group('nice omni-dev sessions hook')] });
    expect(counts).toMatchObject({ added: 12, leftAlone: 1 });
    expect(hooks.Stop).toHaveLength(2);
  });
});

describe("uninstalling Codex's hooks", () => {
  it('leaves an inert group where others follow', () => {
    const { hooks } = uninstall({ Stop: [group('a'), { matcher: '*', ...OURS }, group('b')] });
    expect(hooks).toEqual({ Stop: [group('a'), { hooks: [] }, group('b')] });
  });

  it('drops empty groups at the end, and then an empty event', () => {
    expect(uninstall({ Stop: [group('a'), { hooks: [] }, OURS], Interrupt: [OURS] }).hooks).toEqual({
      Stop: [group('a')],
    });
  });

  it('says which event has to be trusted again because a hook moved up in our group', () => {
    const { hooks, counts } = uninstall({ Stop: [group(COMMAND, 'b')] });
    expect(hooks).toEqual({ Stop: [group('b')] });
    expect(counts.shifted).toEqual(['Stop']);
    expect(uninstall({ Stop: [group('b', COMMAND)] }).counts.shifted).toEqual([]);
  });

  it('takes sinks with any arguments out, and leaves wrapped ones', () => {
    const { hooks, counts } = uninstall({
      Stop: [group('omni-dev sessions hook --socket /s')],
      Interrupt: [group('nice omni-dev sessions hook')],
    });
    expect(hooks).toEqual({ Interrupt: [group('nice omni-dev sessions hook')] });
    expect(counts).toMatchObject({ removed: 1, leftAlone: 1 });
  });
});

it('names events as Codex does in its keys', () => {
  expect(['SessionStart', 'PreToolUse', 'Stop'].map(snakeCase)).toEqual([
    'session_start',
    'pre_tool_use',
    'stop',
  ]);
});
