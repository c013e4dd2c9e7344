import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { entry } from './support/entries.ts';
import { runCommand } from './support/run-cli.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What bash offers for a line, with a stand-in for the program that knows two ids. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const script = path.join(dir, 'completion.bash');
  writeFileSync(script, (await runCommand(['completion', 'bash'])).stdout);
  writeFileSync(path.join(dir, 'omni-dev'), '#!/bin/sh\n[ "$1" = session-ids ] && echo "aa1\nbb2"\n', {
    mode: 0o700,
  });
  const program =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _omni_dev; printf "%s\\n" "$' +
    '{COMPREPLY[@]}"';
  const env = { PATH: `${dir}:${process.env.PATH}` };
  const out = execFileSync('bash', ['--norc', '-c', program, 'bash', script, 'omni-dev', ...words], {
    env,
    encoding: 'utf8',
  });
  return out.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  it('offers commands, the commands below them, and their options', async () => {
    expect(await bashOffers('ses')).toEqual(['sessions']);
    expect(await bashOffers('sessions', 'w')).toEqual([
      'watch',
      'why',
      'wait',
      'window',
      'window-unregister',
    ]);
    expect(await bashOffers('sessions', 'list', '--f')).toEqual(['--format']);
  });

  it('offers the values of an option, and files where a path is wanted', async () => {
    expect(await bashOffers('sessions', 'list', '--format', '')).toEqual([
      'tmux',
      'xbar',
      'waybar',
      'starship',
    ]);
    expect(await bashOffers('sessions', 'list', '--socket', '')).toEqual([]);
  });

  it('offers the ids of live sessions where one is wanted', async () => {
    expect(await bashOffers('sessions', 'why', '')).toEqual(['aa1', 'bb2']);
    expect(await bashOffers('sessions', 'why', 'b')).toEqual(['bb2']);
  });

  it('leaves alone what stands behind --', async () => {
    expect(await bashOffers('claude-wrap', '--', 'ses')).toEqual([]);
  });
});

describe('completion in other shells', () => {
  it('knows the same commands and options', async () => {
    const fish = (await runCommand(['completion', 'fish'])).stdout;
    expect(fish).toContain(`complete -c omni-dev -n "__omni_dev_at 'omni-dev sessions'" -a watch`);
    expect(fish).toMatch(
      /__omni_dev_at 'omni-dev sessions list'" -l format .* -a 'tmux xbar waybar starship'/,
    );
    const zsh = (await runCommand(['completion', 'zsh'])).stdout;
    expect(zsh).toMatch(/^#compdef omni-dev\n/);
    expect(zsh).toContain(
      "'omni-dev sessions list --format') compadd -- 'tmux' 'xbar' 'waybar' 'starship'; return ;;",
    );
  });

  it.each([
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ])('is a script that %s can read, where that shell is here', async (shell, flag) => {
    const script = path.join(dir, shell);
    writeFileSync(script, (await runCommand(['completion', shell])).stdout);
    const program = ['/bin', '/usr/bin', '/usr/local/bin']
      .map((place) => path.join(place, shell))
      .find(existsSync);
    if (program !== undefined) execFileSync(program, [flag, script]);
    expect((await runCommand(['completion', 'tcsh'])).exitCode).toBe(2);
  });
});

describe('session-ids', () => {
  it('prints ids that a shell takes as one plain word, and no others', async () => {
    const daemon = await new FakeDaemon().listen();
    daemon.sessions = [entry('aa1'), entry('$(touch x)'), entry('b b')];
    const home = path.join(dir, 'h');
    const { socket } = daemon;
    const result = await runCommand(['session-ids', '--socket', socket], { home });
    await daemon.close();
    expect(result.stdout).toBe('aa1\n');
  });
});

describe('omni-dev schema', () => {
  it('names the messages of the wire and prints the schema of one', async () => {
    expect((await runCommand(['schema'])).stdout).toMatch(/^observe +payload of `observe`$/m);
    const snapshot = JSON.parse((await runCommand(['schema', 'snapshot'])).stdout);
    expect(snapshot).toMatchObject({ type: 'object', required: ['sessions'] });
    expect(JSON.stringify(snapshot)).toContain('waiting_for_permission');
    const observe = JSON.parse((await runCommand(['schema', 'observe'])).stdout);
    expect(observe.required).toEqual(['session_id', 'event']);
    expect((await runCommand(['schema', 'nosuch'])).exitCode).toBe(2);
  });
});
