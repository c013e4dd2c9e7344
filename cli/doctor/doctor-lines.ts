import { sanitize } from '../../contract/sanitize.ts';
import type { Paint } from '../view/paint.ts';
import type { Finding, Level } from './finding.ts';

const LOOKS: Record<Level, { glyph: string; tone: 'active' | 'attention' | 'alarm' }> = {
  ok: { glyph: '✓', tone: 'active' },
  warning: { glyph: '!', tone: 'attention' },
  problem: { glyph: '✗', tone: 'alarm' },
};

/** The findings as lines: level, check, what was found, and the fix below it. */
export function doctorLines(findings: readonly Finding[], paint: Paint): string[] {
  return findings.flatMap(({ check, level, text, fix }) => {
    const { glyph, tone } = LOOKS[level];
    const head = `${paint.tone(tone, `${glyph} ${level.padEnd(8)}`)} ${check.padEnd(17)} ${sanitize(text)}`;
    return fix === undefined ? [head] : [head, `${' '.repeat(29)}fix: ${sanitize(fix)}`];
  });
}
