import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectedFromAnnounced, shownStates } from '../../lab/announced-states.ts';
import { ClaudeLab, type LabRun } from '../../lab/claude-lab.ts';
import { compareStates, type ExpectedState, parseStates } from '../../lab/compare-states.ts';
import { loadScenario, type Scenario } from '../../lab/scenario.ts';

const builtIn = path.resolve(
  process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../../dist'),
);

/** Plays a scenario in a terminal with the wrapper between it and Claude. */
async function run(scenario: Scenario): Promise<LabRun> {
  const lab = new ClaudeLab({});
  lab.between = [process.execPath, path.join(builtIn, 'claude-wrap.cjs'), '--pty', '--'];
  try {
    await lab.start();
    return await lab.run(scenario);
  } finally {
    await lab.stop();
  }
}

function expectStates(terminal: LabRun, expected: ExpectedState[]): void {
  const comparison = compareStates(expected, shownStates(terminal.rows));
  expect(comparison.ok ? 'as expected' : explain(comparison.reason, terminal)).toBe('as expected');
  expect(terminal.problems).toEqual([]);
}

function explain(reason: string, { announced, rows }: LabRun): string {
  const start = announced[0]?.t ?? 0;
  const seen = [...rows].map(([id, sightings]) => {
    const states = sightings.map(
      ({ t, state, entry }) => `${t - start} ${state} by ${entry?.feed ?? 'nobody'}`,
    );
    return `${id}: ${states.join(' | ')}`;
  });
  const told = announced.map(({ t, state }) => `${t - start} ${state}`).join(' | ');
  return [reason, `announced: ${told}`, ...seen].join('\n');
}

/** Feeds that decided a waiting state: those last long enough for every feed to have spoken. */
function feedsOfWaits({ rows }: LabRun): Set<string> {
  const waits = [...rows.values()].flat().filter(({ state }) => state.startsWith('waiting'));
  return new Set(waits.map(({ entry }) => entry?.feed ?? 'nobody'));
}

describe.concurrent('Claude under claude-wrap --pty, in a terminal that reads program status itself', () => {
  it.each([
    'tui-permission',
    'tui-ask',
    'tui-interrupt',
    'tui-clear-compact',
    'tui-api-error',
    'tui-sighup',
    'tui-sigkill-waiting',
  ])('%s: the list says what Claude announces', async (name) => {
    const terminal = await run(loadScenario(name));
    expectStates(terminal, expectedFromAnnounced(terminal.announced));
  });

  it('background work: a command leaves the session idle, whatever the terminal is told', async () => {
    const terminal = await run(loadScenario('tui-background-bash'));
    expectStates(terminal, parseStates('starting? idle working idle working idle ended'));
  });
});

describe('Claude under claude-wrap --pty, in a terminal that does not know program status', () => {
  it('prompt, permission, question, exit: the list has them from the terminal', async () => {
    const terminal = await run(loadScenario('states-unannounced', import.meta.dirname));
    expect(terminal.announced.map(({ state }) => state)).toEqual(['ended']);
    expectStates(
      terminal,
      parseStates(
        'starting? idle working idle working waiting_for_permission working idle working waiting_for_input working idle ended',
      ),
    );
    expect(feedsOfWaits(terminal)).toEqual(new Set(['terminal_status']));
  });
});
