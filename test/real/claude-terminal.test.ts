import { describe, expect, it } from 'vitest';
import { expectedFromAnnounced, shownStates } from '../lab/announced-states.ts';
import { ClaudeLab, type LabRun, type LabSetup } from '../lab/claude-lab.ts';
import { compareStates } from '../lab/compare-states.ts';
import { loadScenario } from '../lab/scenario.ts';

/** What a person does at a terminal, and one-shot runs. */
const IN_A_TERMINAL = [
  'tui-permission',
  'tui-ask',
  'tui-interrupt',
  'tui-background-bash',
  'tui-background-agent',
  'tui-clear-compact',
  'tui-api-error',
  'tui-resume',
  'tui-resume-other-folder',
  'tui-sighup',
  'tui-sigkill',
  'tui-sigkill-waiting',
];

async function run(name: string, setup: LabSetup): Promise<LabRun> {
  const lab = new ClaudeLab(setup);
  try {
    await lab.start();
    return await lab.run(loadScenario(name));
  } finally {
    await lab.stop();
  }
}

function explain(reason: string, { announced, rows }: LabRun): string {
  const start = announced[0]?.t ?? 0;
  const line = (states: readonly { t: number; state: string }[]) =>
    states.map(({ t, state }) => `${t - start} ${state}`).join(' | ');
  return [
    reason,
    `announced: ${line(announced)}`,
    ...[...rows].map(([id, sightings]) => `${id}: ${line(sightings)}`),
  ].join('\n');
}

describe.concurrent('Claude Code in a terminal, its live-process records alone', () => {
  it.each(IN_A_TERMINAL)('%s: the list says what Claude announces to its terminal', async (name) => {
    const terminal = await run(name, {});
    const expected = expectedFromAnnounced(terminal.announced);
    const comparison = compareStates(expected, shownStates(terminal.rows));
    expect(comparison.ok ? 'as announced' : explain(comparison.reason, terminal)).toBe('as announced');
    if (comparison.ok) console.log(`${name}: late by ${comparison.delays.join(' ')} ms`);
  });
});
