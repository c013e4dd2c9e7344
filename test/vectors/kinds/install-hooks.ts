import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { expect } from 'vitest';
import { type Paths, resolvePaths, type Surroundings } from '../../../contract/paths.ts';
import {
  installWrapper,
  uninstallWrapper,
  type WrapperResult,
} from '../../../shims/editors/install-wrapper.ts';
import {
  type HooksResult,
  installClaudeHooks,
  uninstallClaudeHooks,
} from '../../../shims/hooks/install-claude-hooks.ts';
import type { KindRunners, VectorCase } from '../load.ts';

/** What the cases of this area may hold beside name and kind. */
interface InstallCase {
  action: 'install' | 'uninstall';
  command: string;
  shim: string;
  before: unknown;
  before_text: string | null;
  after: unknown;
  after_parsed: unknown;
  after_text_contains: string[];
  result: Record<string, number>;
  changed: boolean;
  error_contains: string[];
  file_unchanged: boolean;
  format: { indent: number; final_newline: boolean };
  shim_file: { mode: string; must_match: string };
  shim_removed: boolean;
  shim_written: boolean;
  blocker_file: string;
}

/** A throw-away machine: every path of a case is mapped under its root. */
interface Machine {
  root: string;
  around: Surroundings;
  paths: Paths;
  settings: string;
}

async function onMachine(run: (machine: Machine) => Promise<void>): Promise<void> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-vector-'));
  try {
    const around: Surroundings = { env: {}, platform: 'linux', home: root, uid: 0 };
    await run({ root, around, paths: resolvePaths(around), settings: path.join(root, 'settings.json') });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The text of a case before the action: its own, or its object as JSON. Null means no file. */
function textBefore(given: Partial<InstallCase>): string | null {
  if (given.before_text !== undefined) return given.before_text;
  return given.before === null || given.before === undefined ? null : JSON.stringify(given.before, null, 2);
}

function put(file: string, text: string | null): void {
  if (text === null) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function expectText(given: Partial<InstallCase>, before: string | null, file: string): void {
  const after = textOf(file);
  if (given.file_unchanged === true) expect(after).toBe(before);
  for (const piece of given.after_text_contains ?? []) expect(after).toContain(piece);
  if (given.format !== undefined) {
    expect(after).toMatch(new RegExp(`^\\{\\n {${given.format.indent}}"`));
    expect(after?.endsWith('}\n')).toBe(given.format.final_newline);
  }
}

async function wrapperCase(given: Partial<InstallCase>): Promise<void> {
  await onMachine(async ({ root, around, paths, settings }) => {
    const mapped = (file: string) => path.join(root, 'mapped', file);
    const shim = mapped(given.shim ?? '');
    const withShim = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(given.shim), JSON.stringify(shim)));
    const builtIn = path.join(root, 'dist');
    put(path.join(builtIn, 'claude-wrap.cjs'), 'exports.run = () => {};');
    if (given.blocker_file !== undefined) put(mapped(given.blocker_file), '');
    if (given.action === 'uninstall') put(shim, '#!/bin/sh\n');
    const before =
      given.before_text === undefined ? textBefore({ before: withShim(given.before) }) : given.before_text;
    put(settings, before);

    const options = { around, paths, settings, shim, builtIn };
    const running: Promise<WrapperResult> =
      given.action === 'install' ? installWrapper(options) : uninstallWrapper(options);
    const { result, message: thrown } = await outcomeOf(running);
    const message = thrown + (result?.refused.map((refused) => refused.message).join('\n') ?? '');
    for (const piece of given.error_contains ?? [])
      expect(message).toContain(piece.replaceAll(given.shim ?? '\0', shim));
    if (given.error_contains === undefined) expect(message).toBe('');
    if (given.changed !== undefined) expect(result?.changed).toBe(given.changed);
    expectText(given, before, settings);
    const expected = given.after_parsed ?? given.after;
    if (expected !== undefined) expect(parse(textOf(settings) ?? 'null')).toEqual(withShim(expected));
    expectShim(given, shim);
  });
}

function expectShim(given: Partial<InstallCase>, shim: string): void {
  if (given.shim_removed !== undefined) expect(existsSync(shim)).toBe(!given.shim_removed);
  if (given.shim_written !== undefined) expect(existsSync(shim)).toBe(given.shim_written);
  if (given.shim_file === undefined) return;
  expect((statSync(shim).mode & 0o7777).toString(8).padStart(4, '0')).toBe(given.shim_file.mode);
  expect(readFileSync(shim, 'utf8')).toMatch(new RegExp(given.shim_file.must_match));
}

async function outcomeOf<T>(running: Promise<T>): Promise<{ result?: T; message: string }> {
  try {
    return { result: await running, message: '' };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

/** The command of cases that name none. */
const COMMAND = '/usr/bin/omni-dev sessions hook';

async function hooksCase(given: Partial<InstallCase>): Promise<void> {
  await onMachine(async ({ settings }) => {
    const command = given.command ?? COMMAND;
    const before = textBefore(given);
    put(settings, before);
    const options = { file: settings, command };
    const running: Promise<HooksResult> =
      given.action === 'install' ? installClaudeHooks(options) : uninstallClaudeHooks(options);
    const { result, message } = await outcomeOf(running);
    for (const piece of given.error_contains ?? []) expect(message).toContain(piece);
    if (given.error_contains === undefined) expect(message).toBe('');
    const counts = { ...result?.counts, left_alone: result?.counts.leftAlone };
    expect(counts).toMatchObject(given.result ?? {});
    expectText(given, before, settings);
    const expected = given.after_parsed ?? given.after;
    if (expected !== undefined)
      expect(withoutAdditive(parse(textOf(settings) ?? 'null'), command)).toEqual(expected);
  });
}

/** The value without the keys that we add to entries of our own command. */
function withoutAdditive(value: unknown, command: string): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== 'object' || member === null || !('command' in member)) return member;
      if (member.command !== command) return member;
      return Object.fromEntries(
        Object.entries(member).filter(([key]) => key !== 'async' && key !== 'timeout'),
      );
    }),
  );
}

const given = (testCase: VectorCase) => testCase as Partial<InstallCase>;

export const kinds: KindRunners = {
  hooks: (testCase) => hooksCase(given(testCase)),
  file: (testCase) => hooksCase(given(testCase)),
  wrapper: (testCase) => wrapperCase(given(testCase)),
  'wrapper-file': (testCase) => wrapperCase(given(testCase)),
};
