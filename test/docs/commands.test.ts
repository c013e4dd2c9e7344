import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { PROGRAMS_DIR, REPOSITORY } from '../support/programs.ts';

const pages = [
  'README.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

describe('the documentation', () => {
  const program = programTree();
  it.each(pages)('%s names only commands and options that there are', (page) => {
    const text = readFileSync(path.join(REPOSITORY, page), 'utf8');
    for (const words of commandsIn(text)) expect(problemOf(program, words), words.join(' ')).toBeUndefined();
  });

  it('is read: there are commands in it, and one that is not there is noticed', () => {
    expect(
      pages.flatMap((page) => commandsIn(readFileSync(path.join(REPOSITORY, page), 'utf8'))).length,
    ).toBeGreaterThan(60);
    expect(problemOf(program, ['sessions', 'lst'])).toBe('there is no sessions lst');
    expect(problemOf(program, ['doctor', '--fast'])).toBe('doctor has no --fast');
    expect(problemOf(program, ['sessions', 'wait', '--any', '--for', 'waiting'])).toBeUndefined();
  });
});

/** The words behind each `omni-dev` that a page sets as code, up to `--`, a comment or what a shell reads. */
function commandsIn(text: string): string[][] {
  const code = [...text.matchAll(/```[\s\S]*?```|``[\s\S]*?``|`[^`]+`/g)].map(([span]) => span);
  // What a program says is set as code too.
  const isMessage = (span: string) => span.startsWith('``') || /\. [A-Z]/.test(span);
  const spans = code.filter((span) => span.startsWith('```') || !isMessage(span));
  return spans.flatMap((span) =>
    [...span.matchAll(/(?<![/\w.-])omni-dev ([^\n`#|>)&;]+)/g)].map(
      ([, words = '']) =>
        words
          .split(/ -- | --$/)[0]
          ?.trim()
          .split(/\s+/) ?? [],
    ),
  );
}

/** What is wrong with a command line, or undefined. Words that are no command of a group are its arguments. */
function problemOf(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find((candidate) => candidate.name() === words[at]);
    if (next === undefined) break;
    command = next;
  }
  const rest = words.slice(at);
  const name = words.slice(0, at).join(' ');
  const [first] = rest;
  const isGroup = command.commands.length > 0 && command !== program;
  const isWord = first !== undefined && /^[a-z]/.test(first);
  if (isWord && (isGroup || command === program)) return `there is no ${[name, first].join(' ').trim()}`;
  const known = new Set(['--help', '-h', '--version', '-V']);
  for (let owner: Command | null = command; owner !== null; owner = owner.parent)
    for (const { long, short } of owner.options) for (const flag of [long, short]) known.add(flag ?? '');
  const unknown = rest.find((word) => /^--?[a-z]/i.test(word) && !known.has(word.split('=')[0] ?? ''));
  return unknown === undefined ? undefined : `${name} has no ${unknown}`;
}

function programTree(): Command {
  return createProgram({
    around: { env: {}, platform: process.platform, home: '/nonexistent', uid: 0 },
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    programsDir: PROGRAMS_DIR,
    wall: Date.now,
    readerGone: new AbortController().signal,
  }).command;
}
