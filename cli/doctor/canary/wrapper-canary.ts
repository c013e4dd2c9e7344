import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { stopProcess } from '../../stage/private-daemon.ts';
import type { SeenRows } from '../../stage/seen-rows.ts';
import type { ThrowAwayHome } from '../../stage/throw-away-home.ts';
import { type Finding, ok, problem } from '../finding.ts';
import type { CanaryPrograms } from './installed-programs.ts';

const CHECK = 'canary-wrapper';
const STEP_MS = 10_000;
const EXIT_CODE = 7;
/** The agent's part: two lines, then one more when it is answered, and a status of its own. */
const CHILD = `printf '%s\\n' "$1" "$2"; read -r answer; printf '%s\\n' "$3"; exit ${EXIT_CODE}`;

/** The wrapper's whole way: shim, wrapper, child, and what its observer tells a subscriber. */
export async function wrapperCanary(
  home: ThrowAwayHome,
  programs: CanaryPrograms,
  seen: SeenRows,
): Promise<Finding> {
  const id = randomUUID();
  const lines = agentLines(id, home.project);
  const begin = performance.now();
  const [file, ...words] = [...programs.wrapper, '/bin/sh', '-c', CHILD, 'canary', ...lines];
  // With this word an agent waits for lines, as an editor has it.
  const run = new WrapperRun(file, [...words, '--input-format=stream-json'], home);
  const fault = await firstFault([
    [() => seen.until(() => shows(seen, id, 'working'), STEP_MS), 'reported nothing of a turn'],
    [() => run.answer(), 'passed no input on'],
    [() => seen.until(() => shows(seen, id, 'idle'), STEP_MS), 'did not report the end of a turn'],
    [() => run.endsWith(EXIT_CODE), `did not end with the status of its child (${EXIT_CODE})`],
    [() => Promise.resolve(run.output === `${lines.join('\n')}\n`), "changed its child's output"],
    [() => seen.until(() => shows(seen, id, 'ended'), STEP_MS), 'did not report the end of the session'],
  ]);
  await run.stop();
  const whose = programs.whose.wrapper;
  if (fault !== undefined)
    return problem(
      CHECK,
      `${whose} ${fault}`,
      'omni-dev sessions install-wrapper, then: omni-dev verify-wrapper',
    );
  const ms = Math.round(performance.now() - begin);
  return ok(CHECK, `${whose}: bytes, status and states of a child came through (${ms} ms)`);
}

type Step = [holds: () => Promise<boolean>, fault: string];

async function firstFault(steps: readonly Step[]): Promise<string | undefined> {
  for (const [holds, fault] of steps) if (!(await holds())) return fault;
  return undefined;
}

function agentLines(session_id: string, cwd: string): string[] {
  return [
    { type: 'system', subtype: 'init', session_id, cwd, model: 'canary' },
    { type: 'assistant', session_id, message: { role: 'assistant', model: 'canary', content: [] } },
    { type: 'result', subtype: 'success', session_id, is_error: false },
  ].map((line) => JSON.stringify(line));
}

/** True once the wrapper's own feed said so. */
function shows(seen: SeenRows, id: string, state: string): boolean {
  return seen.of(id).some((shown) => shown.state === state && shown.feed === 'claude_stream');
}

class WrapperRun {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #status: Promise<number | null>;
  output = '';

  constructor(file: string, args: string[], home: ThrowAwayHome) {
    this.#child = spawn(file, args, { cwd: home.project, env: home.env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8');
    });
    this.#status = new Promise((resolve) => {
      this.#child.once('error', () => resolve(null));
      this.#child.once('close', resolve);
    });
  }

  answer(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#child.stdin.write('{"type":"keep_alive"}\n', (error) => resolve(!error));
    });
  }

  async endsWith(code: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), STEP_MS);
    });
    const status = await Promise.race([this.#status, late]);
    clearTimeout(timer);
    return status === code;
  }

  stop(): Promise<void> {
    this.#child.stdin.destroy();
    return stopProcess(this.#child);
  }
}
