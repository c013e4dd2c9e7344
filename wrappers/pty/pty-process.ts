import { closeSync, constants as files, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { ReadStream } from 'node:tty';
import type { ChildEnd } from '../shared/exit-status.ts';
import { belowLeader, programBelow, type Words } from './session-leader.ts';

/** The native part of node-pty 1.1. Its own terminal class drops output that is slower than an exit by 200 ms. */
interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, columns: number, rows: number): void;
}

export interface Size {
  columns: number;
  rows: number;
}

const READ_BYTES = 65_536;
const PACKAGE = '@lydell/node-pty';

/** Opens pseudo-terminals. */
export class PtyLauncher {
  readonly #native: NativePty;
  readonly #helper: string;

  /**
   * @param from the file from which node-pty is looked for
   * @throws when node-pty is not installed or does not run here
   */
  constructor(from: string = thisFile()) {
    const load = createRequire(from);
    const { requireBinary } = load(`${PACKAGE}/requireBinary.js`) as {
      requireBinary(file: string): NativePty;
    };
    this.#native = requireBinary('pty.node');
    const platform = `${PACKAGE}-${process.platform}-${process.arch}`;
    this.#helper = process.platform === 'darwin' ? load.resolve(`${platform}/spawn-helper`) : '';
  }

  /**
   * Starts a program as the leader of a session on a pseudo-terminal of its own.
   *
   * @throws when no pseudo-terminal can be had
   */
  start(file: string, args: readonly string[], size: Size, env = process.env): PtyProcess {
    return new PtyProcess(this.#native, this.#helper, [file, ...args], size, env);
  }
}

/** The bundle that this is in. */
function thisFile(): string {
  return typeof __filename === 'string' ? __filename : path.join(process.cwd(), 'x.js');
}

/** A program on a pseudo-terminal. Output is bytes; what is written is queued in order and never blocks. */
export class PtyProcess {
  /** The leader of the session: the program, or what stands above it. */
  readonly pid: number;
  /** What the program writes and reads. */
  readonly stream: ReadStream;
  /** Resolves when the program has ended; its output may still be on the way. */
  readonly exited: Promise<ChildEnd>;
  /** Resolves when nothing more can come: every process on the pseudo-terminal has left it. */
  readonly drained: Promise<void>;
  readonly #native: NativePty;
  readonly #isBelowLeader: boolean;
  readonly #fd: number;
  /**
   * The program's side, held open by us on Linux: where nobody holds it any more, the runtime takes the first short read
   * for the end and drops what else there is.
   */
  readonly #programSide: number | undefined;
  #open = true;

  constructor(native: NativePty, helper: string, command: Words, size: Size, around: NodeJS.ProcessEnv) {
    this.#native = native;
    const words = belowLeader(command, around);
    this.#isBelowLeader = words !== undefined;
    const [file, ...args] = words ?? command;
    const env = Object.entries(around).map(([name, value]) => `${name}=${value ?? ''}`);
    let onExit: (code: number, signal: number) => void = () => {};
    this.exited = new Promise((resolve) => {
      onExit = (code, signal) => resolve({ code, signal: signalName(signal) });
    });
    const { columns, rows } = size;
    const forked = native.fork(
      file,
      args,
      env,
      process.cwd(),
      columns,
      rows,
      -1,
      -1,
      true,
      helper,
      (code, signal) => onExit(code, signal),
    );
    this.pid = forked.pid;
    this.#fd = forked.fd;
    this.#programSide = openProgramSide(forked.pty);
    this.stream = new ReadStream(forked.fd);
    this.drained = new Promise((resolve) => {
      const over = () => {
        this.#open = false;
        resolve();
      };
      this.stream.on('end', over);
      this.stream.on('close', over);
      // Linux says EIO when the other side is closed.
      this.stream.on('error', over);
    });
  }

  /**
   * Everything that the program, which has ended, wrote and nobody has read yet. The kernel hands it out at once, so the
   * end of it is certain; undefined where that is not so (macOS), and {@link drained} has to be awaited.
   */
  takeRest(): Buffer[] | undefined {
    if (this.#programSide === undefined) return undefined;
    this.stream.pause();
    const rest: Buffer[] = [];
    for (let chunk = this.stream.read(); chunk !== null; chunk = this.stream.read()) rest.push(chunk);
    while (this.#open) {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const length = readOrNothing(this.#fd, buffer);
      if (length === 0) break;
      rest.push(buffer.subarray(0, length));
    }
    this.#open = false;
    closeSync(this.#programSide);
    return rest;
  }

  /** A size that comes when the program has just left is of no use to anybody. */
  resize({ columns, rows }: Size): void {
    if (!this.#open || columns <= 0 || rows <= 0) return;
    try {
      this.#native.resize(this.#fd, columns, rows);
    } catch {
      // Gone between the check and the call.
    }
  }

  /** The program's own pid, or the leader's before it was started and after it has ended. */
  get programPid(): number {
    return (this.#isBelowLeader ? programBelow(this.pid) : undefined) ?? this.pid;
  }

  /** Signals the program. */
  kill(signal: NodeJS.Signals): void {
    this.#send(this.programPid, signal);
  }

  /** Lets everything go on that has stopped. */
  goOn(): void {
    this.#send(-this.pid, 'SIGCONT');
  }

  #send(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone.
    }
  }
}

function openProgramSide(name: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return openSync(name, files.O_RDWR | files.O_NOCTTY);
  } catch {
    return undefined;
  }
}

/** Reads without waiting: 0 when there is nothing. */
function readOrNothing(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}

function signalName(number: number): NodeJS.Signals | null {
  if (number === 0) return null;
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return (entry?.[0] as NodeJS.Signals | undefined) ?? null;
}
