import type { ChildProcess } from 'node:child_process';

/** The parts of the Agent SDK that the suite uses; the SDK itself is installed only for the run. */
export interface AgentSdk {
  query(request: { prompt: AsyncIterable<SdkPrompt>; options: SdkOptions }): SdkQuery;
}

export interface SdkPrompt {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
  session_id: string;
}

export interface SdkMessage {
  type: string;
  session_id: string;
  event?: { type: string };
}

export interface SdkQuery extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<void>;
}

export interface SdkSpawnRequest {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

export interface SdkOptions {
  cwd: string;
  env: Record<string, string>;
  pathToClaudeCodeExecutable: string;
  permissionMode: string;
  settingSources: string[];
  includePartialMessages: boolean;
  spawnClaudeCodeProcess(request: SdkSpawnRequest): ChildProcess;
  canUseTool(
    tool: string,
    input: Record<string, unknown>,
  ): Promise<{ behavior: 'allow'; updatedInput: Record<string, unknown> }>;
}

/** Prompts that a test pushes while the SDK reads them. */
export class PromptQueue implements AsyncIterable<SdkPrompt> {
  readonly #waiting: SdkPrompt[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(text: string): void {
    this.#waiting.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
    });
    this.#wake?.();
  }

  /** No more prompts: the SDK closes the agent's stdin. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SdkPrompt> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
