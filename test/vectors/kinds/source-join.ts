import { expect } from 'vitest';
import { joinWindow, sourceOf, WindowReports } from '../../../daemon-lite/registry/window-join.ts';
import type { CaseRunner, KindRunners } from '../load.ts';

interface WindowCase {
  key: string;
  folders: string[];
  tabs: number;
  terminals: number;
  /** Awake seconds. */
  registered_at: number;
  last_report_at: number;
}

/** Sends every window's registration and latest refresh in the order of their times, then joins at the case's time. */
const join: CaseRunner = (testCase) => {
  const reports = new WindowReports(() => {});
  for (const { at, window } of inOrder((testCase.windows ?? []) as WindowCase[])) {
    reports.report(window, at * 1000);
  }
  reports.reap((testCase.at as number) * 1000);
  const winner = joinWindow(reports.values(), (testCase.cwd as string | null) ?? undefined);
  expect(sourceOf(winner)).toEqual(testCase.source);
  if (testCase.focus_folder !== undefined) expect(winner?.folders[0] ?? null).toBe(testCase.focus_folder);
};

function inOrder(windows: WindowCase[]): { at: number; window: WindowCase }[] {
  return windows
    .flatMap((window) => [
      { at: window.registered_at, window },
      { at: window.last_report_at, window },
    ])
    .sort((a, b) => a.at - b.at);
}

export const kinds: KindRunners = { case: join };
