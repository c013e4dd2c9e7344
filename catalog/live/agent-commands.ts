import path from 'node:path';
import type { RunningCommand } from '../../agents/system/process-list.ts';
import { type Liveness, running, UNKNOWN } from './liveness.ts';

/** What command lines tell about the sessions of an agent without live records of its own. */
export class AgentCommands {
  readonly #commands: readonly RunningCommand[] | undefined;

  /** @param commands every visible process, or undefined where they cannot be read */
  constructor(program: string, commands: readonly RunningCommand[] | undefined) {
    this.#commands = commands?.filter(({ args }) => isProgram(args, program));
  }

  /** True when it is certain that no process of the agent lives. */
  get none(): boolean {
    return this.#commands?.length === 0;
  }

  /** Running when a process names the session on its command line. No such process is no proof. */
  liveness(sessionId: string): Liveness {
    const named = this.#commands?.find(({ args }) =>
      args.some((arg) => arg === sessionId || arg.includes(`_${sessionId}.jsonl`)),
    );
    return named === undefined ? UNKNOWN : running({ source: 'process', pid: named.pid });
  }
}

/** The program itself, or an interpreter that runs a script of that name. */
function isProgram(args: readonly string[], program: string): boolean {
  const [first, second] = args.map((arg) => path.basename(arg).replace(/\.[cm]?js$/, ''));
  return first === program || (/^(node|bun|deno)$/.test(first ?? '') && second === program);
}
