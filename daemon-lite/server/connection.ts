import type { Socket } from 'node:net';
import { decodeUtf8, LINE_LIMIT_BYTES, LineSplitter } from '../../contract/line-splitter.ts';
import { errorLine } from './replies.ts';
import type { Answer } from './requests.ts';
import type { StreamEnd, Subscriber, Subscriptions } from './subscriptions.ts';

export interface ConnectionOptions {
  answer(line: Buffer): Answer;
  subscriptions: Subscriptions;
  /** A client asked the daemon to stop; its reply is on the way. */
  onStop(): void;
  onClose(connection: Connection): void;
  /** How long a client may leave its replies unread before it is dropped. */
  stallMs?: number;
}

const STALL_MS = 30_000;
/** How long a connection that we ended is still read, so that the client sees our last line and not a reset. */
const LINGER_MS = 1_000;
/** Replies are gathered to about this size before they are written. */
const WRITE_BYTES = 65_536;

const OVERSIZE = Symbol('line over the limit');
const TOO_LONG = { unreadable: `request line exceeds the ${LINE_LIMIT_BYTES}-byte limit` };

/**
 * One client: request lines in, reply lines out, in order. Bounded both ways: a client whose replies are not read is
 * itself not read, and is dropped in the end.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #splitter: LineSplitter;
  #lines: (Buffer | typeof OVERSIZE)[] = [];
  #next = 0;
  #out = '';
  #phase: 'serving' | 'streaming' | 'closing' = 'serving';
  #subscriber: Subscriber | undefined;
  #waitingForAnswer = false;
  #blocked = false;
  #inputEnded = false;
  #draining = false;
  #stall: NodeJS.Timeout | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#splitter = new LineSplitter({
      line: (bytes) => this.#lines.push(bytes),
      oversize: () => this.#lines.push(OVERSIZE),
    });
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('end', () => this.#endOfInput());
    socket.on('drain', () => this.#drained());
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#endStream(error.syscall === 'read' ? 'ReadDecodeError' : 'WriteFailure'),
    );
    socket.on('close', () => this.#closed());
  }

  /** Answers what was asked already, then closes; a stream ends at once. */
  drain(): void {
    this.#draining = true;
    if (this.#phase === 'streaming') this.#finish('DaemonShutdown');
    else this.#run();
  }

  destroy(): void {
    this.#endStream('DaemonShutdown');
    this.#socket.destroy();
  }

  #received(chunk: Buffer): void {
    if (this.#phase === 'closing') return;
    this.#splitter.push(chunk);
    this.#run();
  }

  #endOfInput(): void {
    this.#inputEnded = true;
    if (this.#phase === 'closing') return;
    this.#splitter.end();
    this.#run();
  }

  /** Serves queued lines until there are none, an answer has to be waited for, or the client reads too slowly. */
  #run(): void {
    while (this.#phase === 'serving' && !this.#waitingForAnswer && !this.#blocked) {
      const line = this.#lines[this.#next];
      if (line === undefined) break;
      this.#next++;
      this.#serve(line);
    }
    if (this.#next >= this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    this.#flush();
    if (this.#phase === 'streaming') this.#watchStreamInput();
    else if (this.#phase === 'serving') this.#pauseOrEnd();
  }

  #pauseOrEnd(): void {
    const busy = this.#waitingForAnswer || this.#blocked;
    if (busy) this.#socket.pause();
    else if (this.#inputEnded || this.#draining) this.#finish('ClientEof');
    else this.#socket.resume();
  }

  #serve(line: Buffer | typeof OVERSIZE): void {
    const answer = line === OVERSIZE ? TOO_LONG : this.#options.answer(line);
    if (typeof answer === 'string') this.#reply(answer);
    else if (answer instanceof Promise) this.#replyLater(answer);
    else if ('subscribe' in answer) this.#startStream();
    else if ('unreadable' in answer) this.#refuse(answer.unreadable);
    else {
      this.#reply(answer.reply);
      this.#flush();
      this.#options.onStop();
    }
  }

  #replyLater(answer: Promise<string>): void {
    this.#waitingForAnswer = true;
    void answer.then((line) => {
      this.#waitingForAnswer = false;
      if (this.#phase !== 'serving') return;
      this.#reply(line);
      this.#run();
    });
  }

  #refuse(error: string): void {
    this.#reply(errorLine(error));
    this.#finish('ReadDecodeError');
  }

  #reply(line: string): void {
    this.#out += line;
    if (this.#out.length >= WRITE_BYTES) this.#flush();
  }

  #flush(): void {
    if (this.#out === '') return;
    const out = this.#out;
    this.#out = '';
    this.#write(out);
  }

  /** False when the client reads too slowly. */
  #write(data: string | Buffer): boolean {
    if (!this.#socket.writable) return false;
    const taken = this.#socket.write(data);
    if (!taken && !this.#blocked) {
      this.#blocked = true;
      this.#stall = setTimeout(() => this.#dropStalled(), this.#options.stallMs ?? STALL_MS);
    }
    return taken;
  }

  #dropStalled(): void {
    this.#endStream('WriteFailure');
    this.#socket.destroy();
  }

  #drained(): void {
    clearTimeout(this.#stall);
    this.#blocked = false;
    if (this.#phase === 'streaming') this.#subscriber?.drained();
    else if (this.#phase === 'serving') this.#run();
  }

  #startStream(): void {
    this.#flush();
    this.#phase = 'streaming';
    this.#subscriber = this.#options.subscriptions.add({ write: (frame) => this.#write(frame) });
  }

  /** Whatever comes after `subscribe` ends the stream: a line, a bad one, or the end of input. */
  #watchStreamInput(): void {
    const line = this.#lines[this.#next];
    if (line !== undefined) {
      const readable = line !== OVERSIZE && decodeUtf8(line) !== undefined;
      this.#finish(readable ? 'ClientCancel' : 'ReadDecodeError');
    } else if (this.#inputEnded) this.#finish('ClientEof');
    else this.#socket.resume();
  }

  /** Ends our side after what was written; the rest of the client's bytes is read and dropped for a moment. */
  #finish(reason: StreamEnd): void {
    if (this.#phase === 'closing') return;
    this.#endStream(reason);
    this.#flush();
    this.#phase = 'closing';
    this.#lines = [];
    this.#splitter.reset();
    this.#socket.end();
    if (this.#inputEnded) return;
    this.#socket.resume();
    this.#linger = setTimeout(() => this.#socket.destroy(), LINGER_MS);
  }

  #endStream(reason: StreamEnd): void {
    if (this.#subscriber === undefined) return;
    this.#options.subscriptions.remove(this.#subscriber, reason);
    this.#subscriber = undefined;
  }

  #closed(): void {
    clearTimeout(this.#stall);
    clearTimeout(this.#linger);
    this.#endStream(this.#inputEnded ? 'ClientEof' : 'WriteFailure');
    this.#phase = 'closing';
    this.#options.onClose(this);
  }
}
