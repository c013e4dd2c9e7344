import { describe, expect, it } from 'vitest';
import { isOneShot, parseArguments } from '../../../wrappers/claude/arguments.ts';

describe('the command line of claude-wrap', () => {
  it.each([
    [['--', 'claude', '--socket', 'x'], undefined, ['claude', '--socket', 'x']],
    [['--socket', '/s', '--', 'claude'], '/s', ['claude']],
    [['--socket=/s', 'claude', '-p', '--'], '/s', ['claude', '-p', '--']],
    [['claude'], undefined, ['claude']],
    [['--', '--odd-name'], undefined, ['--odd-name']],
    [['--', '--', 'x'], undefined, ['--', 'x']],
  ])('%j', (argv, socket, command) => {
    expect(parseArguments(argv)).toEqual({ kind: 'wrap', socket, command, pty: undefined, verbose: false });
  });

  it('--pty and --no-pty: the last one before the command counts', () => {
    expect(parseArguments(['--pty', 'claude', '--no-pty'])).toMatchObject({ pty: true });
    expect(parseArguments(['--pty', '--no-pty', '--verbose', 'claude'])).toMatchObject({
      pty: false,
      verbose: true,
    });
  });

  it.each([[[]], [['--']], [['--socket', '/s']], [['--socket=/s', '--']]])('%j lacks a command', (argv) => {
    const parsed = parseArguments(argv);
    expect(parsed).toMatchObject({ kind: 'usage-error' });
    expect(parsed).toHaveProperty('message', expect.stringMatching(/^claude-wrap needs a command to run, /));
  });

  it('an option that is not ours is refused before the command, and left alone in it', () => {
    expect(parseArguments(['--resume', 'x'])).toMatchObject({ kind: 'usage-error' });
    expect(parseArguments(['claude', '--resume', 'x'])).toMatchObject({ kind: 'wrap' });
  });

  it('--socket without a path is refused', () => {
    expect(parseArguments(['--socket'])).toMatchObject({
      kind: 'usage-error',
      message: '--socket needs a path',
    });
  });
});

describe('a one-shot run', () => {
  it.each([
    [['claude', '-p', 'x'], true],
    [['claude', '--output-format', 'stream-json'], true],
    [['claude', '--input-format', 'stream-json'], false],
    [['claude', '--input-format=stream-json'], false],
    [['claude', '--input-format', 'text'], true],
  ])('%j: %s', (command, expected) => {
    expect(isOneShot(command)).toBe(expected);
  });
});
