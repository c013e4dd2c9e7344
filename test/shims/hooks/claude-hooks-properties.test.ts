import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../shims/edit/json-text.ts';
import { revertChanges } from '../../../shims/edit/text-change.ts';
import { clearShim, pointAtShim } from '../../../shims/editors/wrapper-setting.ts';
import { addClaudeHooks, CLAUDE_HOOKS, removeClaudeHooks } from '../../../shims/hooks/claude-hooks.ts';
import { addCodexHooks, removeCodexHooks } from '../../../shims/hooks/codex-hooks.ts';
import { sinkEntries } from '../../../shims/hooks/hook-entries.ts';
import { settingsDocument } from '../support/settings-documents.ts';

const COMMAND = '/d/omni-dev sessions hook';
const CODEX = { command: `${COMMAND} --agent codex`, runsAsync: false };

function edited(text: string, edit: (text: JsonText) => unknown): JsonText {
  const document = new JsonText(text);
  edit(document);
  return document;
}

/** Comments of the generated documents, in order. */
const commentsIn = (text: string) => text.match(/\/\/ note \d+|\/\* note \d+ \*\//g) ?? [];
const equal = (one: unknown, other: unknown) =>
  expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)));
const RUNS = { numRuns: 150 };

describe('in any settings document', { timeout: 120_000 }, () => {
  it('installing hooks each event once, and keeps everything else and every comment', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text, value, comments }) => {
        const after = edited(text, (document) => addClaudeHooks(document, COMMAND));
        expect(commentsIn(after.text)).toEqual(comments);
        expect(
          sinkEntries(after)
            .map((entry) => entry.event)
            .sort(),
        ).toEqual(CLAUDE_HOOKS.map(({ event }) => event).sort());
        const { hooks: _, ...others } = parse(after.text);
        const { hooks: __, ...before } = value;
        equal(others, before);
      }),
      RUNS,
    );
  });

  it('installing twice is installing once', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text }) => {
        const once = edited(text, (document) => addClaudeHooks(document, COMMAND)).text;
        expect(edited(once, (document) => addClaudeHooks(document, COMMAND)).isEdited).toBe(false);
      }),
      RUNS,
    );
  });

  it('the record of an edit brings the bytes back', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text }) => {
        const after = edited(text, (document) => {
          addClaudeHooks(document, COMMAND);
          pointAtShim(document, '/d/claude-wrap');
        });
        expect(revertChanges(after.text, after.changes)).toBe(text);
      }),
      RUNS,
    );
  });

  it('uninstalling leaves the bytes as they were where hooks were, else an empty hooks object more', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text, value }) => {
        const installed = edited(text, (document) => addClaudeHooks(document, COMMAND)).text;
        const after = edited(installed, (document) => removeClaudeHooks(document)).text;
        if ('hooks' in value) expect(after).toBe(text);
        else equal(parse(after), { ...value, hooks: {} });
      }),
      RUNS,
    );
  });

  it('uninstalling from Codex leaves the bytes as they were where hooks were', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text, value }) => {
        const installed = edited(text, (document) => addCodexHooks(document, CODEX)).text;
        expect(edited(installed, (document) => addCodexHooks(document, CODEX)).isEdited).toBe(false);
        const after = edited(installed, (document) => removeCodexHooks(document)).text;
        if ('hooks' in value) expect(after).toBe(text);
      }),
      RUNS,
    );
  });

  it('setting and clearing the wrapper leaves the bytes as they were', () => {
    fc.assert(
      fc.property(settingsDocument, ({ text, value }) => {
        fc.pre(Object.keys(value).length > 0);
        const set = edited(text, (document) => pointAtShim(document, '/d/claude-wrap')).text;
        expect(edited(set, (document) => clearShim(document, '/d/claude-wrap')).text).toBe(text);
      }),
      RUNS,
    );
  });
});
