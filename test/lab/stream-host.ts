import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CapturedLine, ExitStatus } from './capture.ts';
import { type AskAnswer, contains, type Scenario } from './scenario.ts';

/** The arguments with which the SDK starts Claude, partial messages and asks wanted. */
export const STREAM_ARGS = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
  '--permission-prompt-tool=stdio',
  '--setting-sources=user,project,local',
  '--include-partial-messages',
];

interface StreamLine {
  type?: string;
  request_id?: string;
  request?: { subtype?: string; tool_name?: string; tool_use_id?: string; input?: Record<string, unknown> };
  response?: { response?: { pid?: number } };
}

/** What a host starts, and where. */
export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/**
 * The program that embeds Claude: writes its lines, reads what comes out, answers its asks as the scenario says and
 * keeps a capture of it all. Used for one-shot runs too, where nothing is written.
 */
export class StreamHost {
  readonly child: ChildProcessWithoutNullStreams;
  readonly capture: CapturedLine[] = [];
  readonly exited: Promise<ExitStatus>;
  readonly #answers: Record<string, AskAnswer>;
  readonly #written = createHash('sha256');
  readonly #read = createHash('sha256');
  readonly #lines: StreamLine[] = [];
  #cursor = 0;
  #wake: (() => void)[] = [];
  #exit: ExitStatus | undefined;
  #agentPid: number | undefined;

  constructor(launch: Launch, scenario: Scenario) {
    this.#answers = scenario.host ?? {};
    this.child = spawn(launch.command, launch.args, { cwd: launch.cwd, env: launch.env, stdio: 'pipe' });
    // Writing to an agent that has just ended is part of some scenarios.
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (chunk: Buffer) => this.#read.update(chunk));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#receive(line));
    createInterface({ input: this.child.stderr }).on('line', (line) => this.#note('err', line));
    this.exited = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      // `close` comes after the last line was read, `exit` may come before.
      this.child.on('close', (code, signal) => {
        this.#exit = { code, signal };
        this.#note('exit', JSON.stringify(this.#exit));
        for (const wake of this.#wake.splice(0)) wake();
        resolve(this.#exit);
      });
    });
  }

  /** How the process ended, once it has. */
  get exit(): ExitStatus | undefined {
    return this.#exit;
  }

  /** Signals the process that was started or, where asked for, the agent that named itself on the stream. */
  signal(signal: NodeJS.Signals, to?: 'agent'): void {
    if (to === undefined) this.child.kill(signal);
    else if (this.#agentPid === undefined) throw new Error('the agent has not told its pid');
    else process.kill(this.#agentPid, signal);
  }

  /** SHA-256 of the bytes written to the process and read from it so far. */
  digests(): { written: string; read: string } {
    return { written: this.#written.copy().digest('hex'), read: this.#read.copy().digest('hex') };
  }

  send(body: Record<string, unknown>): void {
    const line = JSON.stringify(body);
    this.#note('in', line);
    this.#written.update(`${line}\n`);
    this.child.stdin.write(`${line}\n`);
  }

  prompt(text: string, extra: Record<string, unknown> = {}): void {
    const message = { role: 'user', content: [{ type: 'text', text }] };
    this.send({ type: 'user', session_id: '', message, parent_tool_use_id: null, ...extra });
  }

  control(request: Record<string, unknown>): void {
    this.send({ request_id: randomUUID().slice(0, 12), type: 'control_request', request });
  }

  closeInput(): void {
    this.child.stdin.end();
  }

  /** Resolves with true at the next line (after those awaited before) that contains `part`; false when none came. */
  async awaitLine(part: Record<string, unknown>, timeoutMs: number): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      while (this.#cursor < this.#lines.length) {
        const line = this.#lines[this.#cursor];
        this.#cursor += 1;
        if (contains(line, part)) return true;
      }
      const leftMs = until - Date.now();
      if (leftMs <= 0 || this.#exit !== undefined) return false;
      await Promise.race([new Promise<void>((done) => this.#wake.push(done)), sleep(leftMs)]);
    }
  }

  #note(dir: CapturedLine['dir'], line: string): void {
    this.capture.push({ t: Date.now(), dir, line });
  }

  #receive(line: string): void {
    this.#note('out', line);
    let body: StreamLine;
    try {
      body = JSON.parse(line) as StreamLine;
    } catch {
      return;
    }
    this.#lines.push(body);
    this.#agentPid ??= body.response?.response?.pid;
    if (body.type === 'control_request') void this.#answer(body);
    for (const wake of this.#wake.splice(0)) wake();
  }

  async #answer({ request_id, request }: StreamLine): Promise<void> {
    if (request_id === undefined || request === undefined) return;
    const isTool = request.subtype === 'can_use_tool';
    const key = (isTool ? request.tool_name : request.subtype) ?? '';
    const answer = this.#answers[key] ?? this.#answers['*'] ?? { behavior: 'allow' };
    if (answer.behavior === 'none') return;
    await sleep(answer.after_ms ?? 0);
    const response = isTool ? toolAnswer(request, answer) : (answer.response ?? {});
    this.send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  }
}

function toolAnswer(request: NonNullable<StreamLine['request']>, answer: AskAnswer): Record<string, unknown> {
  if (answer.behavior === 'deny') {
    return {
      behavior: 'deny',
      message: answer.message ?? 'Not now',
      interrupt: answer.interrupt,
      toolUseID: request.tool_use_id,
    };
  }
  return {
    behavior: 'allow',
    updatedInput: { ...request.input, ...answer.updatedInput },
    toolUseID: request.tool_use_id,
  };
}
