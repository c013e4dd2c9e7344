import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOON, TestHome } from './support/homes.ts';

let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => {
  vi.restoreAllMocks();
  home.remove();
});

/** Calls of the file system that touch session files, in one listing of the first page. */
async function callsOfOnePage(): Promise<{ stat: number; open: number }> {
  const ofSessions = (calls: unknown[][]) => calls.filter(([file]) => /\.jsonl$/.test(String(file))).length;
  const stat = vi.spyOn(fs, 'statSync');
  const open = vi.spyOn(fs, 'openSync');
  const catalog = await home.catalog({ cache: true });
  await catalog.find({ words: [] }, 5);
  catalog.save();
  const calls = { stat: ofSessions(stat.mock.calls), open: ofSessions(open.mock.calls) };
  vi.restoreAllMocks();
  return calls;
}

describe('one more session', () => {
  it('E8: that has not changed costs one stat, and is not opened', async () => {
    for (let index = 0; index < 20; index++) home.claude({ at: NOON - index * 60_000 });
    for (let index = 0; index < 20; index++) home.codex({ at: NOON - index * 60_000 });
    await callsOfOnePage();
    const before = await callsOfOnePage();
    // Codex's list of names and history of prompts are looked for once, whatever the number of sessions.
    expect(before).toEqual({ stat: 40 + 3, open: 0 });

    home.claude({ at: NOON - 86_400_000 });
    home.codex({ at: NOON - 86_400_000 });
    expect(await callsOfOnePage()).toEqual({ stat: before.stat + 2, open: 0 });
  });
});
