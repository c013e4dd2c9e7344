import type { TextTransport } from '../../../agents/codex/transport.ts';

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** A thread as the fake server keeps it: any keys of the wire's `Thread`. */
export type FakeThread = Record<string, unknown> & { id: string };

/**
 * A scripted app-server in memory: it answers the four requests of an observer from a list of threads, and sends what a
 * test tells it to. It keeps every message it received.
 */
export class FakeAppServer {
  readonly received: Message[] = [];
  readonly threads = new Map<string, FakeThread>();
  /** Methods that are not answered at all. */
  readonly mute = new Set<string>();
  /** Threads that cannot be read. */
  readonly unreadable = new Set<string>();
  pageSize = Number.POSITIVE_INFINITY;
  version = '0.171.0';
  #onText: ((text: string) => void) | undefined;
  #onClosed: (() => void) | undefined;

  /** The client's end. */
  readonly transport: TextTransport = {
    listen: (onText, onClosed) => {
      this.#onText = onText;
      this.#onClosed = onClosed;
    },
    send: (text) => this.#receive(JSON.parse(text) as Message),
    close: () => this.hangUp(),
  };

  /** The methods received, in order, without repeats of the same pass. */
  methods(): string[] {
    return this.received.map(({ method, id }) => method ?? `answer to ${id}`);
  }

  add(thread: FakeThread): void {
    this.threads.set(thread.id, {
      sessionId: thread.id,
      source: 'vscode',
      status: { type: 'idle' },
      cwd: '/p',
      ...thread,
    });
  }

  /** Sends a message as it is. */
  send(message: unknown): void {
    this.#onText?.(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Changes a thread's status and pushes the news, as today's servers do. */
  pushStatus(threadId: string, status: unknown): void {
    this.setStatus(threadId, status);
    this.send({ method: 'thread/status/changed', params: { threadId, status }, emittedAtMs: 1 });
  }

  /** Changes a thread's status without a word, as older servers do. */
  setStatus(threadId: string, status: unknown): void {
    const thread = this.threads.get(threadId);
    if (thread !== undefined) thread.status = status;
  }

  hangUp(): void {
    const onClosed = this.#onClosed;
    this.#onClosed = undefined;
    this.#onText = undefined;
    onClosed?.();
  }

  #receive(message: Message): void {
    this.received.push(message);
    const { id, method, params } = message;
    if (id === undefined || method === undefined || this.mute.has(method)) return;
    const answer = this.#answer(method, params ?? {});
    queueMicrotask(() =>
      this.send(answer === undefined ? { id, error: { code: -32603 } } : { id, result: answer }),
    );
  }

  #answer(method: string, params: Record<string, unknown>): unknown {
    if (method === 'initialize') return { userAgent: `codex-tui/${this.version} (Debian) xterm (x; 1)` };
    if (method === 'thread/loaded/list') return this.#page(params.cursor);
    if (method === 'thread/unsubscribe') return { status: 'unsubscribed' };
    const thread = this.threads.get(String(params.threadId));
    if (thread === undefined || this.unreadable.has(thread.id)) return undefined;
    return { thread, readState: {} };
  }

  #page(cursor: unknown): unknown {
    const from = Number(cursor ?? 0);
    const ids = [...this.threads.keys()];
    const data = ids.slice(from, from + this.pageSize);
    const next = from + data.length;
    return { data, nextCursor: next < ids.length ? String(next) : null };
  }
}
