import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentPath } from '../lab/agents.ts';
import { ClaudeLab } from '../lab/claude-lab.ts';
import { compareStates, parseStates } from '../lab/compare-states.ts';
import type { Scenario } from '../lab/scenario.ts';
import { type AgentSdk, PromptQueue, type SdkMessage } from './agent-sdk-types.ts';

const SCENARIO: Scenario = {
  name: 'agent-sdk',
  about: 'A permission, a question and an interrupt, through the Agent SDK.',
  mode: 'print',
  mock: {
    routes: [
      {
        lane: 'main',
        steps: [
          { tools: [{ name: 'Write', input: { file_path: 'note.txt', content: 'hello\n' } }] },
          { text: 'Written.' },
          {
            tools: [
              {
                name: 'AskUserQuestion',
                input: {
                  questions: [
                    {
                      question: 'Which colour?',
                      header: 'Colour',
                      multiSelect: false,
                      options: [
                        { label: 'Red', description: 'A warm one' },
                        { label: 'Blue', description: 'A cool one' },
                      ],
                    },
                  ],
                },
              },
            ],
          },
          { text: 'Red it is.' },
          { text: 'one two three four five six seven eight nine ten', chunk_ms: 600 },
          { text: 'Fresh answer.' },
        ],
      },
    ],
  },
};

/** `name?` may go unseen. */
const EXPECTED =
  'starting? idle? working waiting_for_permission working idle working waiting_for_input working idle working idle working idle ended';

const PERSON_MS = 1_500;

describe('the Agent SDK, with the installed shim as the program it starts', () => {
  const lab = new ClaudeLab({ wrapped: true });
  beforeEach(() => lab.start());
  afterEach(() => lab.stop());

  it('shows each turn, ask, answer and interrupt to a subscriber', async () => {
    const { query } = (await import(agentPath('agent-sdk'))) as AgentSdk;
    const model = await lab.startModel(SCENARIO);
    const cwd = lab.home.prepare(SCENARIO);
    const prompts = new PromptQueue();
    const asked: string[] = [];
    const messages = query({
      prompt: prompts,
      options: {
        cwd,
        env: lab.home.claudeEnv(model.url, SCENARIO),
        pathToClaudeCodeExecutable: agentPath('claude'),
        permissionMode: 'default',
        settingSources: ['user', 'project', 'local'],
        includePartialMessages: true,
        spawnClaudeCodeProcess: ({ command, args, cwd: folder, env, signal }) => {
          expect(command).toBe(agentPath('claude'));
          const launch = lab.launch(args, folder ?? cwd, {});
          return spawn(launch.command, launch.args, { cwd: launch.cwd, env, signal, stdio: 'pipe' });
        },
        canUseTool: async (tool, input) => {
          asked.push(tool);
          await sleep(PERSON_MS);
          const answers = tool === 'AskUserQuestion' ? { answers: { 'Which colour?': 'Red' } } : {};
          return { behavior: 'allow', updatedInput: { ...input, ...answers } };
        },
      },
    });
    const inbox = messages[Symbol.asyncIterator]();
    const nextOf = async (wanted: (message: SdkMessage) => boolean) => {
      for (;;) {
        const { value, done } = await inbox.next();
        if (done) throw new Error('the SDK ended before the awaited message');
        if (wanted(value)) return value;
      }
    };

    try {
      prompts.push('Write a note.');
      await nextOf(({ type }) => type === 'result');
      await sleep(PERSON_MS);
      prompts.push('Ask me something.');
      await nextOf(({ type }) => type === 'result');
      await sleep(PERSON_MS);
      prompts.push('Count slowly.');
      await nextOf(({ type, event }) => type === 'stream_event' && event?.type === 'content_block_delta');
      await sleep(PERSON_MS);
      await messages.interrupt();
      await nextOf(({ type }) => type === 'result');
      await sleep(PERSON_MS);
      prompts.push('Carry on.');
      const result = await nextOf(({ type }) => type === 'result');
      await sleep(PERSON_MS);
      prompts.end();
      while (!(await inbox.next()).done);

      const id = result.session_id;
      const seen = () => (lab.recorder.rows.get(id) ?? []).filter(({ state }) => state !== 'gone');
      await lab.recorder.until(() => seen().at(-1)?.state === 'ended', 20_000);
      expect([...lab.recorder.rows.keys()]).toEqual([id]);
      expect(asked).toEqual(['Write', 'AskUserQuestion']);
      const comparison = compareStates(parseStates(EXPECTED), seen());
      expect(comparison.ok ? 'as expected' : comparison.reason).toBe('as expected');
      expect(seen().at(-1)?.entry).toMatchObject({ agent: 'claude', cwd });
    } finally {
      prompts.end();
      await model.close();
    }
  });
});
