import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../contract/messages.ts';
import { findProgram, runProgram, settingsFile } from '../../../editors/vscode/commands/omni-dev-program.ts';
import { resumeCommand } from '../../../editors/vscode/commands/resume-command.ts';
import { whyText } from '../../../editors/vscode/commands/why-text.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-commands-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function entry(more: Partial<SessionEntry>): SessionEntry {
  return {
    session_id: 'id',
    agent: 'claude',
    state: 'idle',
    source: { kind: 'terminal' },
    last_event: 'stop',
    started_at: '',
    last_seen: '',
    ...more,
  };
}

describe('the resume command', () => {
  it('is the agent’s own, in the session’s directory', () => {
    expect(resumeCommand(entry({ session_id: '1f2e', cwd: '/w/repo' }))).toBe(
      'cd -- /w/repo && claude --resume 1f2e',
    );
    expect(resumeCommand(entry({ agent: 'codex', session_id: '1f2e', cwd: '/w' }))).toBe(
      'cd -- /w && codex resume 1f2e',
    );
    expect(resumeCommand(entry({ agent: 'pi', transcript_path: '/p/my file.jsonl', cwd: '/w' }))).toBe(
      "cd -- /w && pi --session '/p/my file.jsonl'",
    );
    expect(resumeCommand(entry({ session_id: '1f2e' }))).toBe('claude --resume 1f2e');
  });

  it('reaches a shell as the words it was made of, whatever they hold', () => {
    const script = path.join(dir, 'claude');
    writeFileSync(script, '#!/bin/sh\nfor word in "$PWD" "$@"; do printf "%s\\0" "$word"; done\n');
    chmodSync(script, 0o755);
    const printable = fc.string({
      unit: fc.constantFrom(...'ab \'"$`\\!;&|<>(){}*?~#\n'.replace('\n', '')),
      minLength: 1,
    });
    fc.assert(
      fc.property(printable, printable, (name, id) => {
        fc.pre(!id.startsWith('-') && name !== '.' && name !== '..');
        const cwd = path.join(dir, `d${name}`);
        mkdirSync(cwd, { recursive: true });
        const line = resumeCommand(entry({ session_id: id, cwd }));
        const env = { PATH: `${dir}:/usr/bin:/bin` };
        const words = execFileSync('/bin/sh', ['-c', line ?? 'exit 1'], { env })
          .toString()
          .split('\0');
        expect(words).toEqual([cwd, '--resume', id, '']);
      }),
      { numRuns: 20 },
    );
  });

  it('is refused where a pasted text could do something else', () => {
    expect(resumeCommand(entry({ session_id: 'a\u001b[201~; rm' }))).toBeUndefined();
    expect(resumeCommand(entry({ cwd: '/w\nrm' }))).toBeUndefined();
    expect(resumeCommand(entry({ session_id: '--dangerous' }))).toBeUndefined();
  });
});

describe('the page that says why', () => {
  it('shows each feed’s last word and marks the one that decides', () => {
    const text = whyText({
      session_id: 's1',
      state: 'working',
      decided_by: 'claude_stream',
      rule: 'the highest attached layer',
      pid: 77,
      readings: [
        {
          feed: 'claude_stream',
          state: 'working',
          age_s: 2.4,
          attached: true,
          decides: true,
          rule: 'attached',
        },
        { feed: 'hook', state: 'idle', age_s: 30, attached: false, decides: false, rule: 'too old' },
      ],
    });
    expect(text.split('\n')).toEqual([
      'session  s1',
      'state    working, decided by claude_stream',
      'rule     the highest attached layer',
      'pid      77',
      '',
      '   FEED           STATE            LAST WORD  RULE',
      '*  claude_stream  working          2 s ago    attached',
      '   hook           idle (detached)  30 s ago   too old',
      '',
    ]);
  });

  it('shows a reply of another shape as it came', () => {
    expect(whyText({ later: ['version'] })).toContain('"version"');
    expect(whyText(null)).toBe('null\n');
  });
});

describe('the omni-dev program', () => {
  function program(name: string, body: string): string {
    const file = path.join(dir, name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  it('is the one the settings name, then the installed shim, then the one on PATH', async () => {
    const onPath = program('omni-dev', 'true');
    const shim = program('shim', 'true');
    expect(await findProgram('/named/by/user', shim, dir)).toBeUndefined();
    expect(await findProgram(undefined, shim, dir)).toBe(shim);
    expect(await findProgram(undefined, path.join(dir, 'none'), `relative:${dir}`)).toBe(onPath);
    expect(await findProgram(undefined, path.join(dir, 'none'), undefined)).toBeUndefined();
  });

  it('is run without a shell, and what it says comes back', async () => {
    const file = program('say', 'echo "$1"; echo trouble >&2; exit 3');
    expect(await runProgram(file, ['$(id); `id`'])).toEqual({ ok: false, output: '$(id); `id`\ntrouble' });
    expect((await runProgram(path.join(dir, 'none'), [])).ok).toBe(false);
  });

  it('is told the settings file of the place the extension runs in', () => {
    const storage = '/home/u/.config/Code - Insiders/User/globalStorage/omni-dev.omni-dev-sessions';
    expect(settingsFile(storage, false)).toBe('/home/u/.config/Code - Insiders/User/settings.json');
    expect(settingsFile('/home/u/.vscode-server/data/User/globalStorage/x.y', true)).toBe(
      '/home/u/.vscode-server/data/Machine/settings.json',
    );
  });
});
