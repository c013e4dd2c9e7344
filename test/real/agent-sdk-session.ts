import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentPath } from '../lab/agents.ts';
import type { ClaudeLab } from '../lab/claude-lab.ts';
import { type AgentSdk, PromptQueue, type SdkMessage, type SdkQuery } from './agent-sdk-types.ts';

/** How long the person at the host takes for everything. */
const PERSON_MS = 1_500;
const ANSWERS = { answers: { 'Which colour?': 'Red' } };

/** A program that embeds Claude through the Agent SDK, with the lab's shim as what the SDK starts. */
export class AgentSdkSession {
  /** Tools for which the SDK asked its host. */
  readonly asked: string[] = [];
  /** Commands that the SDK wanted to start. */
  readonly commands: string[] = [];
  readonly #prompts = new PromptQueue();
  readonly #query: SdkQuery;
  readonly #inbox: AsyncIterator<SdkMessage>;

  private constructor(sdk: AgentSdk, lab: ClaudeLab, cwd: string, env: Record<string, string>) {
    this.#query = sdk.query({
      prompt: this.#prompts,
      options: {
        cwd,
        env,
        pathToClaudeCodeExecutable: agentPath('claude'),
        permissionMode: 'default',
        settingSources: ['user', 'project', 'local'],
        includePartialMessages: true,
        spawnClaudeCodeProcess: (request) => {
          this.commands.push(request.command);
          const { command, args } = lab.launch(request.args, cwd, {});
          return spawn(command, args, {
            cwd: request.cwd,
            env: request.env,
            signal: request.signal,
            stdio: 'pipe',
          });
        },
        canUseTool: async (tool, input) => {
          this.asked.push(tool);
          await sleep(PERSON_MS);
          return {
            behavior: 'allow',
            updatedInput: tool === 'AskUserQuestion' ? { ...input, ...ANSWERS } : input,
          };
        },
      },
    });
    this.#inbox = this.#query[Symbol.asyncIterator]();
  }

  static async start(lab: ClaudeLab, cwd: string, env: Record<string, string>): Promise<AgentSdkSession> {
    const sdk = (await import(agentPath('agent-sdk'))) as AgentSdk;
    return new AgentSdkSession(sdk, lab, cwd, env);
  }

  /** Sends a prompt, lets its turn end and rests. Returns the session's id. */
  async turn(prompt: string): Promise<string> {
    this.#prompts.push(prompt);
    const { session_id } = await this.#next(({ type }) => type === 'result');
    await sleep(PERSON_MS);
    return session_id;
  }

  /** Sends a prompt and interrupts its turn while the text streams. */
  async interruptedTurn(prompt: string): Promise<void> {
    this.#prompts.push(prompt);
    await this.#next(({ type, event }) => type === 'stream_event' && event?.type === 'content_block_delta');
    await sleep(PERSON_MS);
    await this.#query.interrupt();
    await this.#next(({ type }) => type === 'result');
    await sleep(PERSON_MS);
  }

  /** Ends the conversation and reads to the end. */
  async end(): Promise<void> {
    this.#prompts.end();
    while (!(await this.#inbox.next()).done);
  }

  /** Ends the conversation whatever state it is in. */
  abandon(): void {
    this.#prompts.end();
  }

  async #next(wanted: (message: SdkMessage) => boolean): Promise<SdkMessage> {
    for (;;) {
      const { value, done } = await this.#inbox.next();
      if (done) throw new Error('the SDK ended before the awaited message');
      if (wanted(value)) return value;
    }
  }
}
