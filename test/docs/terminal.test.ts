import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodexTerminal } from '../lab/codex-terminal.ts';
import { OMNI_DEV, REPOSITORY } from '../support/programs.ts';

const WAIT_MS = 60_000;
const PAGES = ['README.md', 'docs/terminal.md'];
const aliasesIn = (page: string) =>
  readFileSync(path.join(REPOSITORY, page), 'utf8').match(/^alias .*$/gm) ?? [];

let root: string;
let terminal: CodexTerminal | undefined;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-alias-'));
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  rmSync(root, { recursive: true, force: true });
});

function program(name: string, text: string): void {
  mkdirSync(path.join(root, 'bin'), { recursive: true });
  writeFileSync(path.join(root, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(path.join(root, 'bin', name), 0o755);
}

/** An interactive shell that has read these lines at its start. */
function shellWith(lines: readonly string[]): CodexTerminal {
  const startUp = path.join(root, 'bashrc');
  writeFileSync(startUp, `PS1='prompt> '\n${lines.join('\n')}\n`);
  return new CodexTerminal({
    command: 'bash',
    args: ['--noprofile', '--rcfile', startUp, '-i'],
    cwd: root,
    env: {
      PATH: `${path.join(root, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: root,
      TERM: 'xterm-256color',
      OMNI_DEV_NO_AUTOSTART: '1',
    },
  });
}

describe.each(PAGES)('the aliases of %s', (page) => {
  it('are one for each agent', () => {
    expect(aliasesIn(page).map((line) => /^alias (\w+)=/.exec(line)?.[1])).toEqual(['claude', 'codex']);
  });

  it('run claude on a terminal of its own, with all of its arguments', async () => {
    program('omni-dev', `exec "${process.execPath}" "${OMNI_DEV}" "$@"`);
    program('claude', 'printf "[%s]" "$@"; echo " on $(tty)"');
    terminal = shellWith(aliasesIn(page));
    await terminal.see(/prompt>/, WAIT_MS);
    terminal.press("claude --resume 'a b' --pty\r");
    await terminal.see(/\[--resume\]\[a b\]\[--pty\] on \/dev\//, WAIT_MS);
    const name = /on (\/dev\/\S+)/.exec(terminal.text())?.[1];
    expect(name).not.toBe(terminal.name());
  });
});
