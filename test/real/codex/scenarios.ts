import { setTimeout as sleep } from 'node:timers/promises';
import { APPROVAL, type CodexLab } from '../../lab/codex-lab.ts';
import type { CodexTerminal } from '../../lab/codex-terminal.ts';

const ESCAPE = '\x1b';
const CONTROL_C = '\x03';
/** Long enough that every state before a key was pressed has been seen. */
const LOOK_MS = 1_200;

/** One thing that a person does in Codex, and what a subscriber sees of its session meanwhile. */
export interface CodexScenario {
  name: string;
  features?: Record<string, boolean>;
  /** Types and presses; the terminal shows an empty prompt at first. */
  play(terminal: CodexTerminal, lab: CodexLab, row: number): Promise<void>;
  /** States in order, `idle` of the empty prompt first; one that ends with `?` may be too short to be seen. */
  states: string[];
}

async function answerApproval(
  terminal: CodexTerminal,
  lab: CodexLab,
  row: number,
  key: string,
): Promise<void> {
  await terminal.enter('ask for approval');
  await terminal.see(APPROVAL);
  await lab.reach('waiting_for_permission', row);
  await sleep(LOOK_MS);
  terminal.press(key);
}

async function startSilentTurn(terminal: CodexTerminal, lab: CodexLab, row: number): Promise<void> {
  await terminal.enter('stay silent');
  await terminal.see(/esc to interrupt/i);
  await lab.reach('working', row);
  await sleep(LOOK_MS);
}

const DENIED = ['idle', 'working', 'waiting_for_permission', 'working?', 'idle interrupted'];

export const SCENARIOS: CodexScenario[] = [
  {
    name: 'a prompt and a tool',
    states: ['idle', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await terminal.enter('run a tool');
      await terminal.see(/The tool ran/);
      await lab.reach('idle done', row);
    },
  },
  {
    name: 'an approval that is given',
    states: ['idle', 'working', 'waiting_for_permission', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await answerApproval(terminal, lab, row, 'y');
      await terminal.see(/Approval handled/);
      await lab.reach('idle done', row);
    },
  },
  ...[
    ['n', 'n'],
    ['Esc', ESCAPE],
    ['Ctrl-C', CONTROL_C],
  ].map(([name, key = '']) => ({
    name: `an approval that is denied with ${name}`,
    states: DENIED,
    async play(terminal: CodexTerminal, lab: CodexLab, row: number) {
      await answerApproval(terminal, lab, row, key);
      await lab.reach('idle interrupted', row);
    },
  })),
  {
    name: 'a turn that is interrupted with Esc',
    states: ['idle', 'working', 'idle interrupted'],
    async play(terminal, lab, row) {
      await startSilentTurn(terminal, lab, row);
      terminal.press(ESCAPE);
      await lab.reach('idle interrupted', row);
    },
  },
  {
    name: 'a turn that is interrupted with Ctrl-C',
    states: ['idle', 'working', 'idle interrupted'],
    async play(terminal, lab, row) {
      await startSilentTurn(terminal, lab, row);
      terminal.press(CONTROL_C);
      // On a server that goes on by itself Codex asks what shall become of the turn; cancelling it comes first.
      await terminal.see(/Task is still running|interrupted/i);
      if (/Task is still running/.test(terminal.text())) terminal.press('\r');
      await lab.reach('idle interrupted', row);
    },
  },
  {
    name: 'a question',
    states: ['idle', 'working', 'waiting_for_input', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await terminal.enter('ask me a question');
      await terminal.see(/Which color/);
      await lab.reach('waiting_for_input', row);
      await sleep(LOOK_MS);
      terminal.press('\r');
      await terminal.see(/Thank you/);
      await lab.reach('idle done', row);
    },
  },
  {
    name: 'a subagent that waits for approval',
    states: ['idle', 'working', 'waiting_for_permission', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await terminal.enter('spawn a guarded helper');
      await terminal.see(APPROVAL, 60_000);
      await lab.reach('waiting_for_permission', row);
      await sleep(LOOK_MS);
      terminal.press('y');
      await terminal.see(/The helper finished/, 60_000);
      await lab.reach('idle done', row);
    },
  },
  {
    name: 'a model that refuses',
    states: ['idle', 'working', 'idle failed', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await terminal.enter('fail now');
      await terminal.see(/mock refusal/);
      await lab.reach('idle failed', row);
      await sleep(LOOK_MS);
      await terminal.enter('say hello');
      await lab.reach('idle done', row);
    },
  },
  {
    name: '/compact',
    states: ['idle', 'working', 'idle done', 'working', 'idle done'],
    async play(terminal, lab, row) {
      await terminal.enter('say hello');
      await terminal.see(/Hello from the mock/);
      await lab.reach('idle done', row);
      await sleep(LOOK_MS);
      await terminal.enter('/compact');
      await lab.reach('working', row);
      await lab.reach('idle done', row);
    },
  },
];

/** A pattern for states joined with ` > `. */
export function patternOf(states: readonly string[]): RegExp {
  const parts = states.map((state, index) => {
    const separator = index === 0 ? '' : ' > ';
    return state.endsWith('?') ? `(?:${separator}${state.slice(0, -1)})?` : `${separator}${state}`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
