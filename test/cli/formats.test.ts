import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSnapshot } from '../../cli/view/formats/formats.ts';
import { FORMATS, type Format } from '../../cli/view/formats/names.ts';
import { promptEscape } from '../../cli/view/formats/starship.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { entry } from './support/entries.ts';
import { runCommand } from './support/run-cli.ts';

const NOW = Date.parse('2026-10-03T01:00:00Z');
const COMMAND = '/home/me/.local/share/omni-dev/bin/omni-dev';

function format(name: Format, sessions: SessionEntry[], command = COMMAND): string {
  return formatSnapshot(name, { sessions }, { nowMs: NOW, command });
}

const SESSIONS = [
  entry('i1', { repo: 'quiet' }),
  entry('w1', { state: 'working', repo: 'busy' }),
  entry('p2', { state: 'waiting_for_permission', repo: 'young', since: '2026-10-03T00:59:00Z' }),
  entry('p1', {
    state: 'waiting_for_input',
    repo: 'old',
    since: '2026-10-03T00:50:00Z',
    source: { kind: 'vs_code', window_key: 'w' },
  }),
];

describe('a snapshot for another program', () => {
  it('is a piece of tmux’s status line', () => {
    expect(format('tmux', SESSIONS)).toBe(
      '#[fg=red,bold]!2 old young#[default] #[fg=green]⚙1#[default] #[dim]◦1#[default]',
    );
    expect(format('tmux', [])).toBe('');
  });

  it('is a prompt segment that leaves out who rests', () => {
    expect(format('starship', SESSIONS)).toBe('!2 old young ⚙1');
    expect(format('starship', [entry('i1')])).toBe('');
  });

  it('is a menu of xbar, with an action for a session in a window', () => {
    const lines = format('xbar', SESSIONS).split('\n');
    expect(lines[0]).toMatch(/^!2 ⚙1 ◦1 \| /);
    expect(lines[1]).toBe('---');
    expect(lines[2]).toMatch(/^Agent Sessions \|/);
    expect(lines[3]).toMatch(
      /^Claude · old \? waiting \| .*bash="\/home\/me.*omni-dev" param1=sessions param2=focus param3=p1 /,
    );
    expect(lines[4]).toMatch(/^Claude · young ! permission \|/);
    expect(lines[4]).not.toContain('bash=');
    expect(format('xbar', [])).toContain('No active sessions');
  });

  it('is a line of JSON for waybar, with a class to style by', () => {
    expect(JSON.parse(format('waybar', SESSIONS))).toEqual({
      text: '!2 ⚙1 ◦1',
      alt: 'waiting',
      class: 'waiting',
      tooltip:
        'Claude · old ? waiting 10m00s\nClaude · young ! permission 1m00s\nClaude · busy ⚙ working\nClaude · quiet ◦ idle',
    });
    expect(JSON.parse(format('waybar', []))).toMatchObject({ text: '', class: 'none' });
  });

  it('comes from the same command for list and is refused for a surface nobody knows', async () => {
    const daemon = await new FakeDaemon().listen();
    daemon.sessions = SESSIONS;
    const result = await runCommand(['sessions', 'list', '--format', 'starship', '--socket', daemon.socket]);
    await daemon.close();
    expect(result).toEqual({ exitCode: 0, stdout: '!2 old young ⚙1\n', stderr: '' });
    expect((await runCommand(['sessions', 'list', '--format', 'nosuch'])).exitCode).toBe(2);
  });
});

/** Names as an attacker who may create a directory would choose them. */
const hostileName = fc.oneof(
  fc.constantFrom(
    '#[fg=red]#(touch /tmp/x)#{pane_id}',
    '$(touch /tmp/x)`id`\\u@\\h%n!!',
    'x | bash="/bin/sh" param1=-c terminal=false',
    '--- | shell=x',
    '<b>&amp;</b><span size="9999999">"\'',
    'a\nb | refresh=true\u0007\u001b]0;t\u001b\\',
    '%{%F{red}%}$' + '{IFS}',
    '\u202eevil\u2066',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'#[](){}$`\\|"\'<>&%!;\n-=~'), maxLength: 30 }),
);
const hostileSession = fc.record({
  session_id: hostileName,
  state: fc.constantFrom('waiting_for_permission', 'waiting_for_input', 'working', 'idle', 'ended'),
  repo: hostileName,
  cwd: hostileName,
  source: fc.constant({ kind: 'vs_code', window_key: 'w' }),
});
const hostile = fc.array(hostileSession, { maxLength: 6 }).map((sessions) => sessions as SessionEntry[]);

describe('hostile names', () => {
  it.each(FORMATS)('bring no control character and no line of their own into %s', (name) => {
    fc.assert(
      fc.property(hostile, (sessions) => {
        const text = format(name, sessions);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(text.split('\n')).toHaveLength(name === 'xbar' ? 5 + Math.max(1, sessions.length) : 1);
      }),
    );
  });

  it('never begin anything in tmux: every # is one of ours', () => {
    fc.assert(
      fc.property(hostile, (sessions) => {
        const rest = format('tmux', sessions).replaceAll(/#\[(fg=red,bold|fg=green|dim|default)\]/g, '');
        expect(rest).not.toMatch(/[#%]/);
      }),
    );
  });

  it('never add parameters in xbar: one bar per line, and an action runs our command alone', () => {
    fc.assert(
      fc.property(hostile, (sessions) => {
        for (const line of format('xbar', sessions).split('\n')) {
          if (line === '---') continue;
          expect(line.split('|')).toHaveLength(2);
          const parameters = line.split('|')[1] ?? '';
          const bash = / bash="([^"]*)" param1=sessions param2=focus param3=([A-Za-z0-9._-]+) /.exec(
            parameters,
          );
          if (parameters.includes('bash=')) expect(bash?.[1]).toBe(COMMAND);
        }
      }),
    );
  });

  it('leave out the action where the command’s path cannot be written', () => {
    expect(format('xbar', SESSIONS, '/home/a"b|c/omni-dev')).not.toContain('bash=');
  });

  it('are text in waybar’s markup', () => {
    fc.assert(
      fc.property(hostile, (sessions) => {
        const { text, tooltip } = JSON.parse(format('waybar', sessions)) as { text: string; tooltip: string };
        expect(text + tooltip).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('stay as they are when a shell expands a prompt', () => {
    const names = fc.sample(hostileName, 60).map((name) => promptEscape(name));
    const script = 'for name; do eval "printf \'%s\\n\' \\"$name\\""; done';
    const expanded = execFileSync('sh', ['-c', script, 'sh', ...names], { encoding: 'utf8' });
    expect(expanded).toBe(`${names.join('\n')}\n`);
    expect(names.join('')).not.toMatch(/[$`\\%!]/);
  });
});
