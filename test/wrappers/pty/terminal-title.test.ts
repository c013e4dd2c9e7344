import { describe, expect, it } from 'vitest';
import { titlePrefix } from '../../../wrappers/claude/title-prefix.ts';
import { TerminalTitle } from '../../../wrappers/pty/terminal-title.ts';

const written = (text: string, code = '0', terminator = '\x07') => {
  const whole = Buffer.from(`\x1b]${code};${text}${terminator}`);
  return { code, text: Buffer.from(text), whole };
};

const shown = (title: TerminalTitle, text: string) => title.take(written(text)).toString();

function titleOf(model: string | undefined): TerminalTitle {
  const title = new TerminalTitle(titlePrefix);
  if (model !== undefined) title.setModel(model);
  return title;
}

describe('the title in the terminal', () => {
  it('passes as it came while no model is known and the program gives its own mark', () => {
    const title = titleOf(undefined);
    const sequence = written('✳ Claude Code', '2', '\x1b\\');
    expect(title.take(sequence)).toBe(sequence.whole);
    expect(title.correction()).toBeUndefined();
  });

  it('names the model before mark and name', () => {
    expect(shown(titleOf('claude-opus-4-1'), '✳ my name')).toBe('\x1b]0;🟡 Opus · ✳ my name\x07');
  });

  it('is corrected once when the model becomes known or changes', () => {
    const title = titleOf(undefined);
    shown(title, '◐ Claude Code');
    title.setModel('claude-sonnet-4-5');
    expect(title.correction()?.toString()).toBe('\x1b]0;🟢 Sonnet · ◐ Claude Code\x07');
    expect(title.correction()).toBeUndefined();
    title.setModel('claude-haiku-4-5');
    expect(title.correction()?.toString()).toBe('\x1b]0;🔵 Haiku · ◐ Claude Code\x07');
  });

  it('has the mark back that the program leaves out', () => {
    const title = titleOf('claude-opus-4-1');
    title.setMarks(true);
    expect(shown(title, 'Claude Code')).toBe('\x1b]0;🟡 Opus · ✳ Claude Code\x07');
    title.setState('working');
    expect(title.correction()?.toString()).toContain('◐ Claude Code');
    title.turnSpinner();
    expect(title.correction()?.toString()).toContain('◑ Claude Code');
    title.setState('waiting_for_permission');
    expect(title.correction()?.toString()).toContain('✳ Claude Code');
    title.setMarks(false);
    expect(title.correction()?.toString()).toBe('\x1b]0;🟡 Opus · Claude Code\x07');
  });

  it('keeps the one mark of a program that still gives it', () => {
    const title = titleOf(undefined);
    title.setMarks(true);
    expect(shown(title, '✳ Claude Code')).toBe('\x1b]0;✳ Claude Code\x07');
  });

  it('stays empty at the exit', () => {
    const title = titleOf('claude-opus-4-1');
    title.setMarks(true);
    shown(title, 'Claude Code');
    expect(shown(title, '')).toBe('\x1b]0;\x07');
    expect(title.correction()).toBeUndefined();
    expect(title.spins).toBe(false);
  });

  it('names no model where the user switched that off, but gives the mark', () => {
    const title = new TerminalTitle(undefined);
    title.setModel('claude-opus-4-1');
    title.setMarks(true);
    expect(shown(title, 'Claude Code')).toBe('\x1b]0;✳ Claude Code\x07');
  });

  it('D14: control characters never get into a title of ours, and it is short', () => {
    const text = shown(titleOf('claude-opus-4-1'), `a\x01\n\u009b31m\u009d0;b\u0007c${'x'.repeat(5_000)}`);
    const inside = text.slice('\x1b]0;'.length, -1);
    expect([...inside].filter((c) => /[\u0000-\u001f\u007f-\u009f]/u.test(c))).toEqual([]);
    expect(inside).toMatch(/^🟡 Opus · a31m0;bcx/);
    expect([...inside].length).toBeLessThan(600);
  });

  it('a title that is no text passes as it came', () => {
    const sequence = {
      code: '0',
      text: Buffer.from([0xff]),
      whole: Buffer.from([0x1b, 0x5d, 0x30, 0x3b, 0xff, 7]),
    };
    const title = titleOf('claude-opus-4-1');
    expect(title.take(sequence)).toBe(sequence.whole);
  });
});
