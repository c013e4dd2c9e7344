import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { until } from '../../../support/until.ts';
import { claudeWrapProgram } from './program.ts';

/** The words that run a script under the wrapper. */
export const wrapperWords = (script: string) => [
  process.execPath,
  claudeWrapProgram,
  '--pty',
  '--',
  'sh',
  '-c',
  script,
];

/** A terminal with a throw-away home, and what runs on it. */
export class TestTerminal {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-pty-'));
  screen = '';
  exitCode: number | undefined;
  #pty: IPty | undefined;

  get pty(): IPty {
    if (this.#pty === undefined) throw new Error('nothing runs here yet');
    return this.#pty;
  }

  run(file: string, args: string[], env: Record<string, string> = {}): void {
    this.#pty = spawn(file, args, {
      env: { ...process.env, HOME: this.dir, PS1: 'prompt> ', OMNI_DEV_NO_AUTOSTART: '1', ...env },
      cols: 100,
      rows: 30,
    });
    this.#pty.onData((data) => {
      this.screen += data;
    });
    this.#pty.onExit((exit) => {
      this.exitCode = exit.exitCode;
    });
  }

  /** Runs a script under the wrapper. */
  wrapped(script: string): void {
    const [file = '', ...args] = wrapperWords(script);
    this.run(file, args);
  }

  /** Runs JavaScript under the wrapper. */
  node(script: string): void {
    this.run(process.execPath, [claudeWrapProgram, '--pty', '--', process.execPath, '-e', script]);
  }

  /** A shell that runs the wrapper around a script, then says how the terminal is; the wrapper's pid is in `$HOME/pid`. */
  insideShell(script: string): void {
    const wrapper = `sh -c 'echo $$ >"$HOME/pid"; exec "$@"' x "$@"`;
    const line = `stty -a; ${wrapper}; echo "status=$?"; stty -a; sleep 0.5`;
    this.run('bash', ['--norc', '--noprofile', '-c', line, 'x', ...wrapperWords(script)]);
  }

  /** An interactive shell that runs the wrapper around a script as a job of its own. */
  async asJob(script: string): Promise<void> {
    this.run('bash', ['--norc', '--noprofile', '-i']);
    await this.shows('prompt> ');
    const line = wrapperWords('')
      .slice(0, -1)
      .map((word) => `"${word}"`)
      .join(' ');
    this.pty.write(`${line} '${script}'\r`);
  }

  shows(text: string): Promise<void> {
    return until(
      () => this.screen.includes(text),
      () => `${JSON.stringify(text)} is not in ${this.#end()}`,
      60_000,
    );
  }

  /** Waits until the shell asks for the next line, after `text`: what is typed earlier is not for the shell. */
  promptAfter(text: string): Promise<void> {
    return until(
      () =>
        this.screen.includes(text) && this.screen.slice(this.screen.lastIndexOf(text)).includes('prompt> '),
      () => `no prompt after ${JSON.stringify(text)} in ${this.#end()}`,
      60_000,
    );
  }

  /** Waits until `stty -a` has printed the modes for the n-th time. */
  async printsModes(times: number): Promise<string> {
    const printed = () => this.modesPrinted().filter((modes) => modes !== '');
    await until(
      () => printed().length >= times,
      () => `no modes in ${this.#end()}`,
      60_000,
    );
    return printed().at(-1) ?? '';
  }

  async leaves(): Promise<number | undefined> {
    await until(
      () => this.exitCode !== undefined,
      () => `still running: ${this.#end()}`,
      60_000,
    );
    return this.exitCode;
  }

  /** Waits until the wrapper has taken the terminal again: what is typed earlier is the shell's. */
  pauseUntilRaw(): Promise<void> {
    return until(
      () => readFileSync(`/proc/${this.pty.pid}/stat`, 'latin1').split(' ')[7] !== `${this.pty.pid}`,
      () => 'the shell has kept the terminal',
      60_000,
    );
  }

  /** The modes of the terminal, each time that `stty -a` printed them. */
  modesPrinted(): string[] {
    return this.screen
      .split(/(?=speed )/)
      .filter((part) => part.startsWith('speed '))
      .map((part) => /-?isig .*/.exec(part)?.[0] ?? '');
  }

  pause(ms: number): Promise<unknown> {
    return sleep(ms);
  }

  /** Bytes that the program on the terminal has read so far. Linux only. */
  bytesRead(): number {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${this.pty.pid}/io`, 'latin1'))?.[1]);
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.pty.pid}/status`, 'latin1');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  close(): void {
    if (this.exitCode === undefined) this.#pty?.kill('SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }

  #end(): string {
    return JSON.stringify(this.screen.slice(-2_000));
  }
}
