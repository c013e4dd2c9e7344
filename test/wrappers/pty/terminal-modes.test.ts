import { expect, it } from 'vitest';
import { TerminalModes } from '../../../wrappers/pty/terminal-modes.ts';

/** Keypad, character set, colours and margins go with whatever else is undone. */
const DEFAULTS = '\x1b>\x1b(B\x0f\x1b[0m\x1b7\x1b[r\x1b8';

function undoAfter(...sequences: [string, string][]): string {
  const modes = new TerminalModes();
  for (const [parameters, final] of sequences) modes.take(parameters, final);
  return modes.undo();
}

it.each([
  ['nothing changed', [], ''],
  ['the alternate screen', [['?1049', 'h']], '\x1b[?1049l'],
  ['a hidden cursor', [['?25', 'l']], '\x1b[?25h'],
  ['several at once', [['?1000;1006', 'h']], '\x1b[?1000l\x1b[?1006l'],
  [
    'on and off again',
    [
      ['?2004', 'h'],
      ['?2004', 'l'],
      ['?25', 'l'],
      ['?25', 'h'],
    ],
    '',
  ],
  [
    'the keyboard protocol',
    [
      ['>1', 'u'],
      ['>5', 'u'],
      ['<', 'u'],
    ],
    '\x1b[<1u',
  ],
  [
    'more taken off than put on',
    [
      ['>1', 'u'],
      ['<9', 'u'],
    ],
    '',
  ],
  ['modified keys', [['>4;2', 'm']], '\x1b[>4;0m'],
  [
    'modified keys and back',
    [
      ['>4;2', 'm'],
      ['>4', 'm'],
    ],
    '',
  ],
  [
    'queries and nonsense',
    [
      ['?', 'u'],
      ['?1$', 'p'],
      ['?x', 'h'],
      ['>', 'c'],
    ],
    '',
  ],
] as [string, [string, string][], string][])('%s', (_what, sequences, undo) => {
  expect(undoAfter(...sequences)).toBe(undo === '' ? '' : undo + DEFAULTS);
});

it('whatever a program switches on, little is kept', () => {
  const many = Array.from({ length: 10_000 }, (_, mode): [string, string] => [`?${mode + 3_000}`, 'h']);
  expect(undoAfter(...many).length).toBeLessThan(2_000);
});
