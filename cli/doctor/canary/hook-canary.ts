import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SeenRows } from '../../stage/seen-rows.ts';
import type { ThrowAwayHome } from '../../stage/throw-away-home.ts';
import { runProgram } from '../../verify/run-program.ts';
import { type Finding, ok, problem } from '../finding.ts';
import type { CanaryPrograms } from './installed-programs.ts';

const CHECK = 'canary-hook';
const RUN_MS = 10_000;
const SEEN_MS = 10_000;

/**
 * A hook event's whole way: sink, journal, daemon, subscriber. The first event is sent before there is a daemon, so that
 * it can only arrive through the journal; the second one, through the socket.
 */
export class HookCanary {
  readonly #home: ThrowAwayHome;
  readonly #programs: CanaryPrograms;
  readonly #id = randomUUID();

  constructor(home: ThrowAwayHome, programs: CanaryPrograms) {
    this.#home = home;
    this.#programs = programs;
  }

  /** Before the daemon runs: the event has to be in the journal. Gives the finding when it is not. */
  async beforeDaemon(): Promise<Finding | undefined> {
    const trouble = await this.#event('UserPromptSubmit');
    if (trouble !== undefined) return trouble;
    const journal = path.join(this.#home.paths.journalsDir, 'claude', `${this.#id}.jsonl`);
    if (textOf(journal).includes(this.#id)) return undefined;
    return this.#problem('wrote no journal');
  }

  /** Once the daemon runs: the journaled event has to be seen, and a new one. */
  async withDaemon(seen: SeenRows): Promise<Finding> {
    const isSeen = (state: string) => seen.of(this.#id).at(-1)?.state === state;
    if (!(await seen.until(() => isSeen('working'), SEEN_MS)))
      return this.#problem('wrote a journal that the daemon did not take up');
    const begin = performance.now();
    const trouble = await this.#event('Stop');
    if (trouble !== undefined) return trouble;
    if (!(await seen.until(() => isSeen('idle'), SEEN_MS)))
      return this.#problem('told the daemon something that no subscriber saw');
    const ms = Math.round(performance.now() - begin);
    return ok(
      CHECK,
      `${this.#programs.whose.command}: journal, daemon and subscriber have its events (${ms} ms)`,
    );
  }

  async #event(name: string): Promise<Finding | undefined> {
    const input = Buffer.from(
      JSON.stringify({ session_id: this.#id, hook_event_name: name, cwd: this.#home.project }),
    );
    const command = [...this.#programs.command, 'sessions', 'hook'];
    const { status, stdout } = await runProgram(command, { env: this.#home.env, input, timeoutMs: RUN_MS });
    if (status !== 0)
      return this.#problem(`ended with ${status}: an agent would take that for a failed hook`);
    if (stdout.bytes > 0)
      return this.#problem('wrote to its output: an agent could take that for a decision');
    return undefined;
  }

  #problem(what: string): Finding {
    return problem(CHECK, `${this.#programs.whose.command} ${what}`, 'omni-dev sessions install-hooks');
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
