import type { CodexModelScript } from './mock-openai.ts';

const ESCALATE = {
  tool: 'exec_command',
  args: {
    cmd: 'echo approved-run',
    sandbox_permissions: 'require_escalated',
    justification: 'May the lab run this?',
  },
};
const QUESTION = {
  tool: 'request_user_input',
  args: {
    questions: [
      {
        id: 'color',
        header: 'Color',
        question: 'Which color?',
        options: [
          { label: 'Red', description: 'The red one.' },
          { label: 'Blue', description: 'The blue one.' },
        ],
      },
    ],
  },
};
const spawnAgent = (task_name: string, message: string) => ({
  tool: 'spawn_agent',
  namespace: 'collaboration',
  args: { task_name, message },
});
const waitAgent = { tool: 'wait_agent', namespace: 'collaboration', args: { timeout_ms: 20_000 } };

/** What the mock model answers to the prompts that the suites type. Pauses are long enough for a state to be seen. */
export const CODEX_SCRIPTS: CodexModelScript[] = [
  // Codex naming a new chat by itself.
  { when: /^Generate a concise/i, steps: [{ text: '{"title":"Mock title"}' }] },
  // Codex reviewing a command by itself.
  {
    when: /APPROVAL REQUEST START/,
    steps: [
      {
        delayMs: 2_500,
        text: '{"outcome":"allow","risk_level":"low","user_authorization":"high","rationale":"Harmless."}',
      },
    ],
  },
  {
    when: /guarded child/,
    steps: [
      { delayMs: 800, ...ESCALATE },
      { delayMs: 800, text: 'The command was handled.' },
    ],
  },
  {
    when: /child task/,
    steps: [
      { tool: 'exec_command', args: { cmd: 'echo from-child; sleep 2' } },
      { delayMs: 1_500, text: 'Child finished.' },
    ],
  },
  { when: /say hello/, steps: [{ delayMs: 1_500, text: 'Hello from the mock.' }] },
  {
    when: /run a tool/,
    steps: [
      { tool: 'exec_command', args: { cmd: 'echo tool-ran; sleep 1' } },
      { delayMs: 800, text: 'The tool ran.' },
    ],
  },
  {
    when: /ask for approval/,
    steps: [
      { delayMs: 1_200, ...ESCALATE },
      { delayMs: 1_500, text: 'Approval handled.' },
    ],
  },
  {
    when: /ask me a question/,
    steps: [
      { delayMs: 800, ...QUESTION },
      { delayMs: 1_000, text: 'Thank you.' },
    ],
  },
  {
    when: /spawn a guarded/,
    steps: [
      spawnAgent('guarded', 'guarded child please'),
      waitAgent,
      { delayMs: 500, text: 'The helper finished.' },
    ],
  },
  {
    when: /spawn a helper/,
    steps: [
      spawnAgent('helper', 'child task please'),
      waitAgent,
      { delayMs: 500, text: 'The helper finished.' },
    ],
  },
  { when: /fail now/, steps: [{ error: { status: 400, message: 'mock refusal' } }] },
  { when: /stay silent/, steps: [{ silent: true }] },
  { when: /write slowly/, steps: [{ delayMs: 6_000, text: 'A slow answer.' }] },
];
