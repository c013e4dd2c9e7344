import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireDirectory, resumeSpecOf, shellLine } from '../../catalog/resume.ts';
import type { ResumeSpec, Session } from '../../catalog/session.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-resume-'));
  writeFileSync(path.join(dir, 'transcript.jsonl'), '');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const spec = (more: Partial<ResumeSpec> = {}): ResumeSpec => ({
  command: ['claude', '--resume', 'a'],
  cwd: dir,
  ...more,
});
const session = (more: Partial<Session> = {}): Session => ({
  harness: 'claude-code',
  id: 'a',
  lastActivityAt: '2026-11-30T12:00:00.000Z',
  recentPrompts: ['x'],
  state: 'resumable',
  resume: spec(),
  transcript: path.join(dir, 'transcript.jsonl'),
  ...more,
});

describe('a session', () => {
  it('that rests, or may rest, is resumed as its reader says', () => {
    expect(resumeSpecOf(session(), false)).toEqual(spec());
    expect(resumeSpecOf(session({ state: 'unknown' }), false)).toEqual(spec());
  });

  it('that is running is refused unless forced', () => {
    const live = session({ state: 'running', runtime: { source: 'live-record', pid: 77 } });
    expect(() => resumeSpecOf(live, false)).toThrow(/claude-code:a is running \(pid 77\).*--force/);
    expect(resumeSpecOf(live, true)).toEqual(spec());
  });

  it('B4: without a prompt is refused, forced or not', () => {
    const { resume: _resume, ...empty } = session({ state: 'unknown' });
    expect(() => resumeSpecOf(empty, true)).toThrow(/no prompt a person typed/);
  });

  it('B4: whose transcript is gone is refused', () => {
    rmSync(path.join(dir, 'transcript.jsonl'));
    expect(() => resumeSpecOf(session(), true)).toThrow(/is gone/);
  });

  it('whose directory is gone is refused, with the command to run elsewhere', () => {
    expect(() => requireDirectory(spec({ cwd: path.join(dir, 'gone') }))).toThrow(
      /does not exist any more.*claude --resume a/,
    );
    expect(() => requireDirectory(spec())).not.toThrow();
  });
});

describe('the line for a shell', () => {
  it('sets variables and runs what prepares', () => {
    const line = shellLine(
      spec({
        cwd: '/src/my shop',
        command: ['codex', 'resume', 'a'],
        prepare: [['codex', 'unarchive', 'a']],
        env: { CODEX_HOME: '/x y' },
      }),
    );
    expect(line).toBe(
      "cd '/src/my shop' && CODEX_HOME='/x y' codex unarchive a && CODEX_HOME='/x y' codex resume a",
    );
  });

  it('is read back by a shell as it was meant, whatever the words hold', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const line = shellLine({ cwd: dir, command: ['printf', '%s\\0', ...words] });
        expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(
          words,
        );
      }),
      { numRuns: 30 },
    );
  });
});
