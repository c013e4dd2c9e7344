import { afterAll, describe, expect, it } from 'vitest';
import { ClaudeLab, type LabSetup } from '../lab/claude-lab.ts';
import { loadScenarios, type Scenario } from '../lab/scenario.ts';
import { Lateness } from './lateness.ts';
import { expectTheStatesOfTheCapture, expectTheStatesOfTheStream } from './states-of-a-run.ts';

/** Runs that write a stream; plain text says nothing about states. */
const scenarios = loadScenarios().filter(
  ({ mode, args }) => mode === 'stream' || (mode === 'print' && args?.includes('stream-json')),
);
/** Turns, asks, interrupts, background work and a change of session, once more with the product's hooks installed. */
const WITH_HOOKS =
  /^(simple-turn|permission-allow|permission-deny|ask-user-question|interrupt-tool|clear|compact)$|^(subagent|background)/;
const lateness = new Lateness();

async function play(scenario: Scenario, setup: LabSetup): Promise<void> {
  const lab = new ClaudeLab(setup);
  try {
    await lab.start();
    const run = await lab.run(scenario);
    expectTheStatesOfTheCapture(run);
    expectTheStatesOfTheStream(run, lateness);
  } finally {
    await lab.stop();
  }
}

// The editor extension itself cannot run here. This is the program it starts, started the way its SDK does, through
// the executable that the installed setting names.
describe.concurrent('Claude Code started through the installed shim', () => {
  it('has scenarios to play', () => {
    expect(scenarios.length).toBeGreaterThan(40);
  });

  it.each(scenarios)('$name: a subscriber sees what the stream says', (scenario) =>
    play(scenario, { wrapped: true }),
  );

  it.each(scenarios.filter(({ name }) => WITH_HOOKS.test(name)))(
    '$name: hooks of the wrapped process change nothing that is seen',
    (scenario) => play(scenario, { wrapped: true, hooks: true }),
  );
});

afterAll(() => lateness.print());
