import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../agents/claude/transcript-file.ts';

const CAPTURES = path.join(import.meta.dirname, '../../fixtures/claude/transcripts');
const LIMITS = { headBytes: 262_144, tailBytes: 1_048_576, titleBytes: 131_072, prompts: 100 };

interface Expectation {
  cwd: string;
  human_prompts: string[];
  title: string;
  title_source: 'custom' | 'generated' | 'first-prompt';
}

const captures = readdirSync(CAPTURES)
  .filter((name) => name.endsWith('.expect.json'))
  .map((name) => name.slice(0, -'.expect.json'.length));

describe('a transcript written by the real agent', () => {
  it('has captures to compare with', () => expect(captures.length).toBeGreaterThan(15));

  it.each(captures)('%s', (name) => {
    const expected = JSON.parse(
      readFileSync(path.join(CAPTURES, `${name}.expect.json`), 'utf8'),
    ) as Expectation;
    const file = path.join(CAPTURES, `${name}.jsonl`);

    const summary = readTranscript(file, statSync(file).size, LIMITS);

    expect(summary.cwd).toBe(expected.cwd);
    expect(summary.prompts.map((prompt) => prompt.text)).toEqual(expected.human_prompts);
    const titles = {
      custom: summary.customTitle,
      generated: summary.customTitle ?? summary.generatedTitle,
      'first-prompt': summary.customTitle ?? summary.generatedTitle ?? summary.firstPrompt,
    };
    expect(titles[expected.title_source]).toBe(expected.title);
    expect(summary.subagentOnly).toBe(false);
  });
});
