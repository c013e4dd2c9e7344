import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentPath } from '../lab/agents.ts';
import { ClaudeLab } from '../lab/claude-lab.ts';
import { compareStates, parseStates } from '../lab/compare-states.ts';
import { loadScenario } from '../lab/scenario.ts';
import { AgentSdkSession } from './agent-sdk-session.ts';

const ENDED_MS = 20_000;
const EXPECTED = parseStates(
  'starting? idle? ' +
    'working waiting_for_permission working idle ' +
    'working waiting_for_input working idle ' +
    'working idle ' +
    'working idle ended',
);

describe('the Agent SDK, with the installed shim as the program it starts', () => {
  const lab = new ClaudeLab({ wrapped: true });
  beforeEach(() => lab.start());
  afterEach(() => lab.stop());

  it('shows each turn, ask, answer and interrupt to a subscriber', async () => {
    const scenario = loadScenario('agent-sdk');
    const model = await lab.startModel(scenario);
    const cwd = lab.home.prepare(scenario);
    const session = await AgentSdkSession.start(lab, cwd, lab.home.claudeEnv(model.url, scenario));
    try {
      await session.turn('Write a note.');
      await session.turn('Ask me something.');
      await session.interruptedTurn('Count slowly.');
      const id = await session.turn('Carry on.');
      await session.end();

      const seen = () => (lab.recorder.rows.get(id) ?? []).filter(({ state }) => state !== 'gone');
      await lab.recorder.until(() => seen().at(-1)?.state === 'ended', ENDED_MS);
      expect(session.asked).toEqual(['Write', 'AskUserQuestion']);
      expect(session.commands).toEqual([agentPath('claude')]);
      expect([...lab.recorder.rows.keys()]).toEqual([id]);
      const comparison = compareStates(EXPECTED, seen());
      expect(comparison.ok ? 'as expected' : comparison.reason).toBe('as expected');
      expect(seen().at(-1)?.entry).toMatchObject({ agent: 'claude', cwd });
    } finally {
      session.abandon();
      await model.close();
    }
  });
});
