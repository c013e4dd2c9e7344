import { afterAll, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../contract/messages.ts';
import { expectedFromAnnounced, shownStates } from '../lab/announced-states.ts';
import { ClaudeLab, type LabRun, type LabSetup } from '../lab/claude-lab.ts';
import { compareStates, type ExpectedState, parseStates } from '../lab/compare-states.ts';
import { loadScenario } from '../lab/scenario.ts';
import { Lateness } from './lateness.ts';

/** What a person does at a terminal, and one-shot runs. */
const SCENARIOS = [
  'tui-permission',
  'tui-ask',
  'tui-interrupt',
  'tui-background-bash',
  'tui-background-agent',
  'tui-clear-compact',
  'tui-api-error',
  'tui-titles',
  'tui-idle-notification',
  'tui-resume',
  'tui-resume-other-folder',
  'tui-sighup',
  'tui-sigkill',
  'tui-sigkill-waiting',
  'print-text',
  'print-stream',
];

/**
 * States that the list should show where Claude announces none, or others: a one-shot run has no terminal; to its
 * terminal Claude counts a background command as work; and its record may rest for a moment between the end of a
 * background subagent and the turn that it starts. `name?` may go unseen.
 */
const NOT_ANNOUNCED: Record<string, string> = {
  'print-text': 'starting? idle? working idle? ended',
  'print-stream': 'starting? idle? working idle? ended',
  'tui-background-bash': 'starting? idle working idle working idle ended',
  'tui-background-agent': 'starting? idle working waiting_for_permission working idle? working idle ended',
};

/**
 * What hooks alone can tell. None fires for an interrupt and for Esc at a prompt (the row goes on as it was), none for
 * an answer before its tool has run, none between the start and the first prompt, and none of a compaction says that
 * anything runs.
 */
const HOOKS_ALONE: Record<string, string> = {
  'tui-permission':
    'starting working waiting_for_permission working idle working waiting_for_permission ended',
  'tui-ask': 'starting working waiting_for_input working idle ended',
  'tui-interrupt': 'starting working idle ended',
  'tui-background-bash': 'starting working idle working idle ended',
  'tui-background-agent': 'starting working waiting_for_permission working idle ended',
  'tui-clear-compact': 'starting working idle starting working idle ended',
  'tui-api-error': 'starting working idle ended',
  'tui-titles': 'starting working idle working idle ended',
  'tui-idle-notification': 'starting working idle ended',
  'tui-resume': 'starting working idle ended',
  'tui-resume-other-folder': 'starting working idle ended',
  'tui-sighup': 'starting working idle ended',
  'tui-sigkill': 'starting working idle ended',
  'tui-sigkill-waiting': 'starting working waiting_for_permission ended',
  'print-text': 'starting? working idle? ended',
  'print-stream': 'starting? working idle? ended',
};

const lateness = new Lateness();

async function run(name: string, setup: LabSetup): Promise<LabRun> {
  const lab = new ClaudeLab(setup);
  try {
    await lab.start();
    return await lab.run(loadScenario(name));
  } finally {
    await lab.stop();
  }
}

/** Compares what was listed with what should have been; returns how late each state was, in milliseconds. */
function expectStates(terminal: LabRun, expected: ExpectedState[]): number[] {
  const comparison = compareStates(expected, shownStates(terminal.rows));
  expect(comparison.ok ? 'as expected' : explain(comparison.reason, terminal)).toBe('as expected');
  expect(terminal.problems).toEqual([]);
  return comparison.ok ? comparison.delays : [];
}

function explain(reason: string, { announced, rows, daemonOutput }: LabRun): string {
  const start = announced[0]?.t ?? 0;
  const line = (states: readonly { t: number; state: string; entry?: SessionEntry | undefined }[]) =>
    states.map(({ t, state, entry }) => `${t - start} ${state} ${entry?.feed ?? ''}`).join('| ');
  return [
    reason,
    `announced: ${line(announced)}`,
    ...[...rows].map(([id, sightings]) => `${id}: ${line(sightings)}`),
    daemonOutput,
  ].join('\n');
}

describe.concurrent.each([
  { what: 'records of live processes alone', setup: {} },
  { what: 'records and hooks', setup: { hooks: true } },
])('Claude Code unwrapped, $what', ({ setup }) => {
  it.each(SCENARIOS)('%s: the list says what Claude announces', async (name) => {
    const terminal = await run(name, setup);
    const table = NOT_ANNOUNCED[name];
    if (table !== undefined) {
      expectStates(terminal, parseStates(table));
      return;
    }
    // At its start Claude announces itself when its screen is there, its record is there before.
    const [, ...delays] = expectStates(terminal, expectedFromAnnounced(terminal.announced));
    lateness.add(name, delays);
  });
});

describe.concurrent('Claude Code unwrapped, hooks alone', () => {
  it.each(SCENARIOS)('%s: the list says what hooks can tell', async (name) => {
    const terminal = await run(name, { hooks: true, noRecords: true });
    expectStates(terminal, parseStates(HOOKS_ALONE[name] ?? ''));
  });
});

afterAll(() => lateness.print());
