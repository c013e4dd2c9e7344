import path from 'node:path';
import { PtyLauncher, type PtyProcess, type Size } from '../../wrappers/pty/pty-process.ts';
import { exitCodeOf } from '../../wrappers/shared/exit-status.ts';
import { Digest, type RunOutcome } from './run-program.ts';

const TIMEOUT_MS = 60_000;
export const FIRST_SIZE: Size = { columns: 100, rows: 30 };

/** Something that a person or a terminal does, once the program has written `when`. */
export interface Step {
  when: string;
  act(program: PtyProcess): void;
}

export interface TerminalRunOptions {
  env: NodeJS.ProcessEnv;
  steps?: readonly Step[];
  timeoutMs?: number;
}

/** Runs programs on terminals of their own. */
export class TerminalRunner {
  readonly #launcher: PtyLauncher;

  /**
   * @param programsDir folder of the built programs: node-pty is looked for from there
   * @throws when node-pty is not installed
   */
  constructor(programsDir: string) {
    this.#launcher = new PtyLauncher(path.join(programsDir, 'claude-wrap.cjs'));
  }

  /** Starts a program. The caller reads its stream. */
  start([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): PtyProcess {
    return this.#launcher.start(file, args, FIRST_SIZE, env);
  }

  /** Runs a program to its end. Never throws: what went wrong is the outcome. */
  async run(command: readonly string[], options: TerminalRunOptions): Promise<RunOutcome> {
    const stdout = new Digest();
    const none = { bytes: 0, sha256: '' };
    let program: PtyProcess;
    try {
      program = this.start(command, options.env);
    } catch {
      return { stdout: none, stderr: none, status: 'not started', head: '' };
    }
    const steps = [...(options.steps ?? [])];
    const take = (chunk: Buffer) => {
      stdout.add(chunk);
      const head = stdout.head.toString('latin1');
      for (let step = steps[0]; step !== undefined && head.includes(step.when); step = steps[0]) {
        steps.shift();
        step.act(program);
      }
    };
    program.stream.on('data', take);
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      program.kill('SIGKILL');
    }, options.timeoutMs ?? TIMEOUT_MS);
    const end = await program.exited;
    clearTimeout(timer);
    for (const chunk of program.takeRest() ?? (await drained(program))) take(chunk);
    program.stream.destroy();
    const status = hung ? 'hung' : exitCodeOf(end);
    return { stdout: stdout.end(), stderr: none, status, head: stdout.head.toString('utf8') };
  }
}

/** Where nothing tells that everything was read, the end of the stream does. */
async function drained(program: PtyProcess): Promise<Buffer[]> {
  await program.drained;
  return [];
}
