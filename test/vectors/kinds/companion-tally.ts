import { expect } from 'vitest';
import {
  decodeTally,
  decoration,
  encodeTally,
  glyphs,
  tooltip,
} from '../../../editors/vscode/cues/decoration.ts';
import { countClaudeTabs, countClaudeTerminals } from '../../../editors/vscode/cues/embedding.ts';
import {
  classifyModel,
  type ModelFamily,
  modelMarker,
  modelsByWorktree,
  unionOfModels,
} from '../../../editors/vscode/cues/models.ts';
import { sameTallies, type Tally, tallySessions } from '../../../editors/vscode/cues/tally.ts';
import type { KindRunners, VectorCase } from '../load.ts';

interface CompanionCase extends VectorCase {
  sessions: { state: string; cwd?: string; model?: string }[];
  paths: string[];
  tally: Tally | null;
  text: string;
  model: string;
  families: string[] | null;
  left: Record<string, Tally>;
  right: Record<string, Tally>;
  view_types: string[];
  names: string[];
  custom_title: string | null;
  expect: unknown;
}

/** Runs one case: the value the product gives, `undefined` written as `null` as the vectors do. */
function compare(value: (testCase: CompanionCase) => unknown): (testCase: VectorCase) => void {
  return (testCase) => {
    const companionCase = testCase as CompanionCase;
    expect(value(companionCase) ?? null).toEqual(companionCase.expect);
  };
}

const plain = <T>(map: ReadonlyMap<string, T>) => Object.fromEntries(map);
const mapOf = <T>(object: Record<string, T>) => new Map(Object.entries(object));

export const kinds: KindRunners = {
  tally: compare(({ sessions, paths }) => plain(tallySessions(sessions, paths))),
  glyphs: compare(({ tally }) => glyphs(tally ?? undefined)),
  decoration: compare(({ tally }) => decoration(tally ?? undefined)),
  tooltip: compare(({ tally }) => tooltip(tally ?? undefined)),
  encode: compare(({ tally }) => tally && encodeTally(tally)),
  decode: compare(({ text }) => decodeTally(text)),
  classify: compare(({ model }) => classifyModel(model)),
  marker: compare(({ families }) => modelMarker(families ?? undefined)),
  models: compare(({ sessions, paths }) => plain(modelsByWorktree(sessions, paths))),
  union: compare(({ families, paths }) =>
    unionOfModels(mapOf((families ?? {}) as unknown as Record<string, ModelFamily[]>), paths),
  ),
  same: compare(({ left, right }) => sameTallies(mapOf(left), mapOf(right))),
  tabs: compare(({ view_types }) => countClaudeTabs(view_types)),
  terminals: compare(({ names, custom_title }) => countClaudeTerminals(names, custom_title ?? undefined)),
};
