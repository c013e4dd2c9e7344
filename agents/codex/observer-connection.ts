import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
  NullLogger,
} from 'vscode-jsonrpc/node';
import { OmniDevError } from '../../contract/errors.ts';
import {
  type CodexThread,
  OBSERVER_REQUESTS,
  type ObserverRequest,
  readLoadedPage,
  readThread,
  UNWANTED_NOTIFICATIONS,
} from './protocol.ts';
import type { TextTransport } from './transport.ts';

/** Longest wait for an answer. A server that takes longer is stopped or stuck: the connection is given up. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Pages of the loaded list that are read at most; a server repeats itself only when it is broken. */
const MOST_PAGES = 1_000;

/** Who the observer says it is. The first client of a server names the server: see `initialize`. */
export interface ClientInfo {
  name: string;
  version: string;
}

export interface ConnectionHandlers {
  /** A notification, in the order of arrival. */
  notification(method: string, params: unknown): void;
  /** The connection is over. Called at most once, not after {@link ObserverConnection.close}. */
  closed(): void;
  /** A request of the server that was dropped unanswered, and the thread it is about, where it names one. */
  dropped?(method: string, threadId: string | undefined): void;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function threadOf(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('threadId' in params)) return undefined;
  return typeof params.threadId === 'string' ? params.threadId : undefined;
}

/**
 * Reads messages, and swallows every request of the server before the library sees it: the library answers a request
 * it has no handler for with an error, and any answer, even that one, decides a pending approval in the user's place.
 */
class RequestDroppingReader extends AbstractMessageReader implements MessageReader {
  readonly #transport: TextTransport;
  readonly #dropped: (message: Record<string, unknown>) => void;

  constructor(transport: TextTransport, dropped: (message: Record<string, unknown>) => void) {
    super();
    this.#transport = transport;
    this.#dropped = dropped;
  }

  listen(callback: DataCallback): Disposable {
    this.#transport.listen(
      (text) => {
        const message = parse(text);
        if (message === undefined) return;
        const isRequest = message.method !== undefined && message.id !== undefined;
        if (isRequest) this.#dropped(message);
        else callback(message as unknown as Message);
      },
      () => this.fireClose(),
    );
    return { dispose: () => {} };
  }
}

/** Writes the observer's own requests and nothing else, in Codex's dialect: without a `jsonrpc` member. */
class ObserverWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #transport: TextTransport;

  constructor(transport: TextTransport) {
    super();
    this.#transport = transport;
  }

  async write(message: Message): Promise<void> {
    const { jsonrpc: _, ...rest } = message as Message & { method?: string };
    if (rest.method === undefined || !OBSERVER_REQUESTS.includes(rest.method as ObserverRequest)) return;
    this.#transport.send(JSON.stringify(rest));
  }

  end(): void {}
}

/**
 * A read-only client of an app-server. It can initialize, list and read threads, and leave a thread it was attached
 * to. It never answers a request of the server.
 */
export class ObserverConnection {
  readonly #transport: TextTransport;
  readonly #rpc: MessageConnection;
  #over = false;

  constructor(transport: TextTransport, handlers: ConnectionHandlers) {
    this.#transport = transport;
    const reader = new RequestDroppingReader(transport, ({ method, params }) => {
      handlers.dropped?.(String(method), threadOf(params));
    });
    this.#rpc = createMessageConnection(reader, new ObserverWriter(transport), NullLogger);
    this.#rpc.onNotification((method, params) => handlers.notification(method, params));
    this.#rpc.onError(() => {});
    this.#rpc.onClose(() => {
      if (this.#over) return;
      this.#over = true;
      // Rejects the requests that are still open; the library does not by itself.
      this.#rpc.dispose();
      handlers.closed();
    });
    this.#rpc.listen();
  }

  /**
   * Says hello. The first client that a server hears is the name under which the server records its sessions and speaks
   * to the model, so on a fresh server `client` has to be the TUI's own.
   *
   * @returns the server's version, as its user agent says it, or undefined.
   */
  async initialize(client: ClientInfo): Promise<{ serverVersion: string | undefined }> {
    const result = await this.#request('initialize', {
      clientInfo: { name: client.name, title: null, version: client.version },
      capabilities: { optOutNotificationMethods: UNWANTED_NOTIFICATIONS },
    });
    const userAgent =
      typeof result === 'object' && result !== null && 'userAgent' in result ? result.userAgent : undefined;
    const version = typeof userAgent === 'string' ? /^[^/]*\/([^\s/]+)/.exec(userAgent)?.[1] : undefined;
    return { serverVersion: version };
  }

  /** Ids of every thread the server has loaded, whatever they are. */
  async loadedThreads(): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = readLoadedPage(
        await this.#request('thread/loaded/list', cursor === undefined ? {} : { cursor }),
      );
      if (answer === undefined) {
        throw new OmniDevError('CODEX_BAD_ANSWER', 'the app-server sent no list of its loaded threads');
      }
      ids.push(...answer.ids);
      if (answer.next === undefined || answer.next === cursor) break;
      cursor = answer.next;
    }
    return ids;
  }

  /** One thread without its turns, or undefined when the server cannot read it now: that is no news, never an end. */
  async readThread(threadId: string): Promise<CodexThread | undefined> {
    try {
      const result = await this.#request('thread/read', { threadId });
      const thread =
        typeof result === 'object' && result !== null && 'thread' in result ? result.thread : undefined;
      return readThread(thread);
    } catch (error) {
      if (this.#over) throw error;
      return undefined;
    }
  }

  /** Leaves a thread that the server attached every client to. Otherwise it would never be unloaded. */
  async unsubscribe(threadId: string): Promise<void> {
    try {
      await this.#request('thread/unsubscribe', { threadId });
    } catch (error) {
      if (this.#over) throw error;
    }
  }

  /** Hangs up. No handler is called afterwards. */
  close(): void {
    this.#over = true;
    this.#rpc.dispose();
    this.#transport.close();
  }

  async #request(method: ObserverRequest, params: object): Promise<unknown> {
    if (this.#over)
      throw new OmniDevError('CODEX_CONNECTION_LOST', 'the connection to the app-server is over');
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // Nobody hears this connection any more: its end has to be told, and close() tells nobody.
        this.#transport.close();
        reject(new OmniDevError('CODEX_TIMEOUT', `the app-server did not answer ${method}`));
      }, ANSWER_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.#rpc.sendRequest<unknown>(method, params), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
