import { describe, expect, it } from 'vitest';
import { type SimulatedClaude, type SimulatedFeeds, SimulatedMachine } from './simulated-machine.ts';

const PERMISSION = { notification: 'permission_prompt' } as const;
const QUESTION = { notification: 'agent_needs_input' } as const;
const URGENCY = ['waiting_for_permission', 'waiting_for_input', 'working', 'idle'] as const;
const RUNS = 200;
const STEPS = 40;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One thing that may happen next to a process, by what it does now. */
type Move = (machine: SimulatedMachine, claude: SimulatedClaude) => void;

const turn = ({ pid, prompts }: SimulatedClaude) => ({ prompt_id: `${pid}-${prompts}` });

const prompt: Move = (machine, claude) => {
  claude.prompts += 1;
  machine.becomes(claude, 'working');
  machine.hook(claude, 'user_prompt_submit', 'UserPromptSubmit', turn(claude));
};

const tool: Move = (machine, claude) => {
  machine.hook(claude, 'pre_tool_use', 'PreToolUse', { tool_use_id: 'allowed', ...turn(claude) });
  machine.pass(machine.between(300, 900));
  machine.hook(claude, 'post_tool_use', 'PostToolUse', { tool_use_id: 'allowed', ...turn(claude) });
};

const ask = (event: typeof PERMISSION | typeof QUESTION, state: SimulatedClaude['state']): Move => {
  return (machine, claude) => {
    machine.hook(claude, 'pre_tool_use', 'PreToolUse', { tool_use_id: 'asked', ...turn(claude) });
    machine.becomes(claude, state);
    machine.hook(claude, event, 'PermissionRequest', turn(claude));
  };
};

const allow: Move = (machine, claude) => {
  machine.becomes(claude, 'working');
  machine.pass(machine.between(50, 4_000));
  machine.hook(claude, 'post_tool_use', 'PostToolUse', { tool_use_id: 'asked', ...turn(claude) });
};

const stop: Move = (machine, claude) => {
  machine.hook(claude, 'stop', 'Stop', turn(claude));
  machine.pass(machine.between(2, 50));
  machine.becomes(claude, 'idle');
};

/** No hook tells of it. */
const interrupt: Move = (machine, claude) => machine.becomes(claude, 'idle');
const refuse: Move = (machine, claude) => machine.becomes(claude, 'working');
const clear: Move = (machine, claude) => machine.clear(claude);
const exit: Move = (machine, claude) => machine.end(claude, 'exit');
const kill: Move = (machine, claude) => machine.end(claude, 'kill');

const askPermission = ask(PERMISSION, 'waiting_for_permission');
const askInput = ask(QUESTION, 'waiting_for_input');
const answers = [allow, allow, refuse, interrupt, kill];
const MOVES: Record<SimulatedClaude['state'], readonly Move[]> = {
  idle: [prompt, prompt, prompt, prompt, clear, exit, kill],
  working: [tool, tool, askPermission, askPermission, askInput, stop, stop, interrupt, exit, kill],
  waiting_for_permission: answers,
  waiting_for_input: answers,
  ended: [],
};

function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

function step(machine: SimulatedMachine, random: () => number): void {
  const running = machine.processes.filter(({ state }) => state !== 'ended');
  const claude = pick(running, random);
  if (claude === undefined || (running.length < 2 && random() < 0.05)) {
    const resumed = random() < 0.7 ? machine.processes.at(-1)?.sessionId : undefined;
    machine.start(resumed ?? machine.newSessionId());
    machine.pass(2_600);
    return;
  }
  pick(MOVES[claude.state], random)?.(machine, claude);
  machine.pass(machine.between(300, 1_500));
}

/** What each session really does, for everything that its rows may be told from. */
function expectTruth(machine: SimulatedMachine): void {
  const rows = new Map(machine.registry.list().map((row) => [row.session_id, row.state]));
  for (const id of new Set(machine.processes.map(({ sessionId }) => sessionId))) {
    const states = machine.processes
      .filter(({ sessionId, state }) => sessionId === id && state !== 'ended')
      .map(({ state }) => state);
    const truth = URGENCY.find((state) => states.includes(state)) ?? 'ended';
    const shown = rows.get(id);
    // A session at rest may have aged out, an ended one is soon forgotten.
    if (shown !== undefined || (truth !== 'idle' && truth !== 'ended')) expect(shown, id).toBe(truth);
  }
}

const FEEDS: readonly [string, SimulatedFeeds][] = [
  ['live records alone', { hooks: false, stream: false }],
  ['live records and hooks', { hooks: true, stream: false }],
  ['live records and a stream', { hooks: false, stream: true }],
  ['live records, hooks and a stream', { hooks: true, stream: true }],
];

describe('whatever happens in whatever order, a moment later the list shows what the agents really do', () => {
  it.each(FEEDS)('with %s', (_name, feeds) => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const random = seeded(seed);
      const machine = new SimulatedMachine(feeds, random);
      machine.start(machine.newSessionId());
      machine.pass(2_600);
      for (let steps = 0; steps < STEPS; steps += 1) {
        step(machine, random);
        if (random() < 0.5) continue;
        machine.pass(random() < 0.1 ? machine.between(60_000, 400_000) : 12_000);
        try {
          expectTruth(machine);
        } catch (error) {
          throw new Error(`seed ${seed}, step ${steps}`, { cause: error });
        }
      }
    }
  });
});
