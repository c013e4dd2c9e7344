import { describe, expect, it } from 'vitest';
import { ClaudeLab } from '../lab/claude-lab.ts';
import { loadScenarios } from '../lab/scenario.ts';
import { expectTheStatesOfTheCapture, expectTheStatesOfTheStream } from './states-of-a-run.ts';

const scenarios = loadScenarios().filter(({ mode }) => mode === 'stream');

// The editor extension itself cannot run here. This is the program it starts, started the way its SDK does, through
// the executable that the installed setting names.
describe.concurrent('Claude Code started through the installed shim', () => {
  it('has scenarios to play', () => {
    expect(scenarios.length).toBeGreaterThan(40);
  });

  it.each(scenarios)('$name: a subscriber sees what the stream says', async (scenario) => {
    const lab = new ClaudeLab({ wrapped: true });
    try {
      await lab.start();
      const run = await lab.run(scenario);
      expectTheStatesOfTheCapture(run);
      expectTheStatesOfTheStream(run);
    } finally {
      await lab.stop();
    }
  });
});
