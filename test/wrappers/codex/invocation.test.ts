import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, parseInvocation } from '../../../wrappers/codex/invocation.ts';

const decideFor = (line: string, terminal = true) => {
  const [command = '', ...args] = line.split(' ');
  return decide({ command, args }, terminal);
};

describe("codex-wrap's own arguments", () => {
  it.each([
    [
      ['--', 'codex', 'resume', '--last'],
      { socket: undefined, command: 'codex', args: ['resume', '--last'] },
    ],
    [['codex'], { socket: undefined, command: 'codex', args: [] }],
    [['--socket', '/s', '--', 'codex', '--', 'x'], { socket: '/s', command: 'codex', args: ['--', 'x'] }],
    [
      ['--socket=/s', 'codex', '--socket', '/t'],
      { socket: '/s', command: 'codex', args: ['--socket', '/t'] },
    ],
    [['--pty', 'codex', '--no-pty'], { socket: undefined, command: 'codex', args: ['--no-pty'], pty: true }],
    [
      ['--pty', '--no-pty', '--verbose', 'codex'],
      { socket: undefined, command: 'codex', args: [], pty: false, verbose: true },
    ],
  ])('%j', (argv, expected) => {
    expect(parseInvocation(argv)).toEqual({ pty: undefined, verbose: false, ...expected });
  });

  it.each([[[]], [['--']], [['--socket']], [['--socket', '/s']], [['--unknown', 'codex']]])(
    '%j is explained',
    (argv) => {
      expect(parseInvocation(argv)).toEqual({ usage: expect.stringContaining('usage: omni-dev codex-wrap') });
    },
  );
});

it.each([['--help'], ['-h'], ['--socket', '/s', '--help']])(
  'asked for with %s, the usage is help',
  (...argv) => {
    expect(parseInvocation(argv)).toBe('help');
  },
);

describe('an invocation of codex', () => {
  it.each([
    'codex',
    'codex resume',
    'codex resume --last',
    'codex fork 01a22c03-a6f6-7a30-8d8c-4942b79706f9',
    'codex agents',
    'codex -m gpt-6.2-sol --search',
    'codex -C /p -s read-only -a never --oss',
    'codex -c model="o3" -p work --dangerously-bypass-hook-trust',
    'codex -i a.png b.png',
    'codex -- exec',
    'codex -m exec',
    'codex --cd exec',
    'codex -i exec',
    '/opt/bin/codex resume',
    'codex-nightly',
  ])('gets a server of its own: %s', (line) => {
    expect(decideFor(line)).toEqual({ kind: 'wrap', mayBeCommand: false });
  });

  it.each(['codex fix-the-tests', 'codex -m gpt-6.2-sol hello', 'codex invent-a-command --flag'])(
    'gets one too, though its first word may be a command that is not known here: %s',
    (line) => {
      expect(decideFor(line)).toEqual({ kind: 'wrap', mayBeCommand: true });
    },
  );

  it.each(
    (
      'login logout mcp plugin review apply doctor features completion app-server remote-control sandbox debug cloud ' +
      'update exec-server exec queue archive unarchive delete migrate-rollouts migrate-nfs-db help e a'
    ).split(' '),
  )('is passed through: codex %s', (subcommand) => {
    expect(decideFor(`codex ${subcommand}`)).toEqual({ kind: 'pass', reason: subcommand });
    expect(decideFor(`codex -m x ${subcommand} more`)).toEqual({ kind: 'pass', reason: subcommand });
    expect(decideFor(`codex ${subcommand} -- ${subcommand}`)).toEqual({ kind: 'pass', reason: subcommand });
    expect(decideFor(`codex -- ${subcommand}`), 'a prompt').toMatchObject({ kind: 'wrap' });
  });

  it.each([
    'codex --help',
    'codex -h',
    'codex --version',
    'codex -V',
    'codex --add-dir /d',
    'codex --add-dir=/d',
    'codex --worktree',
    'codex --no-daemon',
    'codex --remote unix:///s',
    'codex --remote=ws://127.0.0.1:1',
    'codex resume --no-daemon',
    'codex fork --remote unix://',
    'codex hello --worktree',
  ])('is passed through for its flag: %s', (line) => {
    expect(decideFor(line)).toMatchObject({ kind: 'pass', reason: expect.stringMatching(/^-/) });
  });

  it('is passed through without a terminal', () => {
    expect(decideFor('codex', false)).toEqual({ kind: 'pass', reason: 'no terminal' });
  });

  it('is passed through when it is not codex at all', () => {
    expect(decideFor('npx codex')).toEqual({ kind: 'pass', reason: 'not codex' });
  });

  it('takes no flag for one behind --', () => {
    expect(decideFor('codex -- --help')).toEqual({ kind: 'wrap', mayBeCommand: false });
  });

  it('never fails, whatever the arguments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('--', '-', '-i', '-c', '--socket'))),
        (argv) => {
          const parsed = parseInvocation(argv);
          if (parsed === 'help' || 'usage' in parsed) return;
          expect(['wrap', 'pass']).toContain(decide(parsed, true).kind);
        },
      ),
    );
  });
});
