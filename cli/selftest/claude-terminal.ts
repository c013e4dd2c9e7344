import path from 'node:path';
import type { SessionState } from '../../contract/events.ts';
import { PtyLauncher, type PtyProcess } from '../../wrappers/pty/pty-process.ts';
import { awaitHooks, hookSignals } from './hook-events.ts';
import { type Signal, signal } from './signals.ts';
import type { SelftestStage } from './stage.ts';
import { type Deadline, waitUntil } from './wait.ts';

const SIZE = { columns: 120, rows: 40 };
const START_MS = 25_000;
const STEP_MS = 6_000;
const GRACE_MS = 2_000;
/** Claude sends its notice six seconds after a prompt that nobody answered. */
const NOTICE_MS = 10_000;
const STOP_MS = 3_000;
/** Between keys that a person would not press at once. */
const KEY_MS = 500;

const STATES: readonly SessionState[] = ['working', 'waiting_for_permission', 'idle'];
/** Hooks that only a terminal has. */
const HOOKS = ['Notification'] as const;

/** Opens pseudo-terminals, or undefined where node-pty is not installed. */
export function ptyLauncher(programsDir: string): PtyLauncher | undefined {
  try {
    return new PtyLauncher(path.join(programsDir, 'claude-wrap.cjs'));
  } catch {
    return undefined;
  }
}

/** One scripted turn of a Claude in a terminal under `claude-wrap --pty`: what it announces there, and its notice. */
export async function runClaudeTerminal(
  launcher: PtyLauncher,
  command: readonly string[],
  env: Record<string, string>,
  stage: SelftestStage,
  deadline: Deadline,
): Promise<Signal[]> {
  const { home, seen } = stage;
  const known = new Set(seen.ids);
  const all = () => seen.ids.filter((id) => !known.has(id)).flatMap((id) => seen.of(id));
  const states = () => all().filter(({ feed }) => feed === 'terminal_status');
  const has = (state: SessionState) => states().some((shown) => shown.state === state);
  const isLast = (state: SessionState) => states().at(-1)?.state === state;
  const terminal = new TerminalAgent(launcher, command, home.project, env);
  stage.add(terminal);
  try {
    // Whichever feed says so: then the terminal's is due.
    const isAsked = () => terminal.hasEnded || all().some(({ state }) => state === 'waiting_for_permission');
    await seen.until(isAsked, deadline.left(START_MS));
    await seen.until(() => terminal.hasEnded || has('waiting_for_permission'), deadline.left(GRACE_MS));
    const journals = path.join(home.paths.journalsDir, 'claude');
    const hooks = await awaitHooks(journals, HOOKS, terminal.hasEnded ? 0 : deadline.left(NOTICE_MS));
    await terminal.press('\r');
    await seen.until(() => isLast('idle'), terminal.hasEnded ? 0 : deadline.left(STEP_MS));
    await terminal.press('/exit');
    await terminal.press('\r');
    await waitUntil(() => terminal.hasEnded, deadline.left(STEP_MS));
    const shown = STATES.map((state) =>
      signal(
        'terminal',
        `status: ${state}`,
        has(state),
        `the program status in the terminal never said ${state}`,
      ),
    );
    return [...shown, ...hookSignals(HOOKS, hooks)];
  } finally {
    await terminal.stop();
  }
}

/** An agent on a terminal, and the person at it. */
class TerminalAgent {
  readonly #program: PtyProcess;
  #stopping: Promise<void> | undefined;
  hasEnded = false;

  constructor(launcher: PtyLauncher, command: readonly string[], cwd: string, env: Record<string, string>) {
    // A program on a pseudo-terminal starts in our own folder.
    const words = ['-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, ...command];
    this.#program = launcher.start('/bin/sh', words, SIZE, { ...env, TERM: 'xterm-256color' });
    this.#program.stream.resume();
    void this.#program.exited.then(() => {
      this.hasEnded = true;
    });
  }

  async press(keys: string): Promise<void> {
    await waitUntil(() => this.hasEnded, KEY_MS);
    if (!this.hasEnded) this.#program.stream.write(keys);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const signalName of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.hasEnded) break;
      this.#program.kill(signalName);
      await waitUntil(() => this.hasEnded, STOP_MS);
    }
    this.#program.takeRest();
    // Whatever else is on this terminal is hung up on.
    this.#program.stream.destroy();
  }
}
