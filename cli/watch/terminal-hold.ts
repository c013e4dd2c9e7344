import os from 'node:os';
import type { CliContext } from '../context.ts';
import type { Screen } from './screen.ts';

export interface TerminalHandlers {
  /** What was typed. */
  input(text: string): void;
  /** The program was suspended and goes on: the screen is empty. */
  resumed(): void;
  /** The terminal is given back. Called once. */
  ended(exitCode: number): void;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A shell without job control discards the stop: go on by ourselves then. */
const STOP_DISCARDED_MS = 100;

/**
 * Holds a terminal for a full-screen program: alternate screen, raw keyboard. Gives both back on every way out: a quit,
 * a signal, a suspend, a thrown error, a reader that has gone away.
 */
export class TerminalHold {
  readonly #context: CliContext;
  readonly #screen: Screen;
  readonly #handlers: TerminalHandlers;
  readonly #onData = (chunk: Buffer | string) => this.#handlers.input(chunk.toString());
  readonly #onStdinEnd = () => this.end(0);
  readonly #onExit = () => this.#release();
  readonly #onContinue = () => this.#take();
  readonly #onSignal = (signal: NodeJS.Signals) => this.end(128 + os.constants.signals[signal]);
  readonly #onReaderGone = () => this.end(0);
  #ended = false;

  constructor(context: CliContext, screen: Screen, handlers: TerminalHandlers) {
    this.#context = context;
    this.#screen = screen;
    this.#handlers = handlers;
    for (const signal of ENDING_SIGNALS) process.on(signal, this.#onSignal);
    process.on('SIGCONT', this.#onContinue);
    process.on('exit', this.#onExit);
    context.readerGone.addEventListener('abort', this.#onReaderGone, { once: true });
    if (context.stdin.isTTY === true) {
      context.stdin.on('data', this.#onData);
      context.stdin.on('end', this.#onStdinEnd);
    }
    this.#take();
  }

  end(exitCode: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#release();
    for (const signal of ENDING_SIGNALS) process.off(signal, this.#onSignal);
    process.off('SIGCONT', this.#onContinue);
    process.off('exit', this.#onExit);
    this.#context.readerGone.removeEventListener('abort', this.#onReaderGone);
    this.#context.stdin.off('data', this.#onData);
    this.#context.stdin.off('end', this.#onStdinEnd);
    this.#handlers.ended(exitCode);
  }

  /** Stops the whole process group, as Ctrl-Z does outside a full-screen program. */
  suspend(): void {
    this.#release();
    process.kill(0, 'SIGTSTP');
    setTimeout(() => this.#take(), STOP_DISCARDED_MS);
  }

  #take(): void {
    if (this.#ended || this.#screen.active) return;
    this.#screen.enter();
    if (this.#context.stdin.isTTY === true) {
      this.#context.stdin.setRawMode?.(true);
      this.#context.stdin.resume();
    }
    // The first frame is the owner's own: it may still be under construction here.
    queueMicrotask(() => this.#ended || this.#handlers.resumed());
  }

  #release(): void {
    if (!this.#screen.active) return;
    this.#screen.leave();
    if (this.#context.stdin.isTTY !== true) return;
    this.#context.stdin.setRawMode?.(false);
    this.#context.stdin.pause();
  }
}
