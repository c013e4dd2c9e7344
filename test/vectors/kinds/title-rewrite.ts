import { expect } from 'vitest';
import { modeFor } from '../../../wrappers/claude/mode.ts';
import { titlesAreOff } from '../../../wrappers/claude/title-prefix.ts';
import { TitleRewriter } from '../../../wrappers/claude/title-rewriter.ts';
import { type BytePiece, bytesOf } from '../bytes.ts';
import type { KindRunners, VectorCase } from '../load.ts';

interface RewriteStep {
  in?: BytePiece[];
  out?: BytePiece[];
  model?: string;
  emits?: BytePiece[] | null;
  eof?: boolean;
}

interface RewriteCase extends VectorCase {
  steps: RewriteStep[];
  env?: Record<string, string>;
}

interface DirectionCase extends VectorCase {
  direction: 'to_claude' | 'from_claude';
  model: string;
  in: BytePiece[];
  out: BytePiece[];
}

interface TtyCase extends VectorCase {
  stdout: 'tty' | 'pipe';
  expect: Record<string, unknown>;
}

function rewrite(testCase: VectorCase): void {
  const { steps, env } = testCase as RewriteCase;
  const titles = titlesAreOff(env ?? {}) ? undefined : new TitleRewriter();
  for (const step of steps) {
    if (step.model !== undefined) {
      const emitted = titles?.setModel(step.model);
      expect(emitted ?? null).toEqual(step.emits == null ? null : bytesOf(step.emits));
    } else if (step.eof) {
      expect(titles?.release() ?? Buffer.alloc(0)).toEqual(bytesOf(step.out));
    } else {
      const chunk = bytesOf(step.in);
      const written = titles === undefined ? [chunk] : titles.push(chunk);
      expect(Buffer.concat(written)).toEqual(bytesOf(step.out));
    }
  }
}

/** Only the child's stdout has a rewriter in its way. */
function direction(testCase: VectorCase): void {
  const { direction: way, model, in: input, out } = testCase as DirectionCase;
  const titles = way === 'from_claude' ? new TitleRewriter() : undefined;
  titles?.setModel(model);
  const chunk = bytesOf(input);
  expect(Buffer.concat(titles === undefined ? [chunk] : titles.push(chunk))).toEqual(bytesOf(out));
}

function tty(testCase: VectorCase): void {
  const { stdout, expect: expected } = testCase as TtyCase;
  expect(modeFor(stdout === 'tty')).toEqual(expected);
}

export const kinds: KindRunners = { rewrite, direction, tty };
