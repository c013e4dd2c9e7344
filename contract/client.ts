import net from 'node:net';
import { OmniDevError, systemErrorCode } from './errors.ts';
import { decodeUtf8, LINE_LIMIT_BYTES, LineSplitter } from './line-splitter.ts';
import type { Reply, Request } from './messages.ts';

/** Longest time a one-shot request may take, connect included. */
export const REQUEST_TIMEOUT_MS = 2_000;

export interface RequestOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Codes of a request that got no reply; a reply with `ok: false` is not an error here. */
export type TransportCode = 'DAEMON_UNREACHABLE' | 'DAEMON_TIMEOUT' | 'DAEMON_BAD_REPLY' | 'ABORTED';

/** A request that got no usable reply. `code` is a {@link TransportCode}; `cause` the system error, if any. */
export class TransportError extends OmniDevError {
  declare readonly code: TransportCode;

  constructor(code: TransportCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'TransportError';
  }
}

/** The request as one line, newline included. */
export function encodeRequest(request: Request): string {
  return `${JSON.stringify(request)}\n`;
}

/** Reads one reply line, or returns undefined when it is none. Unknown keys are ignored. */
export function decodeReply(line: Buffer): Reply | undefined {
  const text = decodeUtf8(line);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('ok' in value)) return undefined;
  if (value.ok === true) return 'payload' in value ? { ok: true, payload: value.payload } : { ok: true };
  if (value.ok !== false) return undefined;
  const error = 'error' in value && typeof value.error === 'string' ? value.error : 'unknown error';
  return { ok: false, error };
}

/**
 * Sends one request and resolves as soon as the kernel has it, before any reply: the daemon reads it even when this
 * process has ended by then. For reports whose loss is made good otherwise.
 *
 * @throws Error when nobody listens, or when it was not taken within `timeoutMs`.
 */
export function sendUnanswered(socket: string, request: Request, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = net.createConnection({ path: socket });
    const timer = setTimeout(
      () => connection.destroy(new Error(`not taken within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const settle = (error?: Error | null) => {
      clearTimeout(timer);
      if (error) return reject(error);
      resolve();
      // Later, so that a process that ends now does not wait for it.
      setImmediate(() => connection.destroy());
    };
    connection.on('connect', () => connection.write(encodeRequest(request), settle));
    connection.on('error', reject);
    connection.on('close', () => clearTimeout(timer));
  });
}

/**
 * Sends one request on a connection of its own and resolves with the reply.
 *
 * @throws TransportError when nobody listens, when no whole reply came in time, or when the answer is not a reply.
 *   Never hangs: everything together is bounded by `timeoutMs` (2 s).
 */
export function sendRequest(socket: string, request: Request, options: RequestOptions = {}): Promise<Reply> {
  const timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const connection = net.createConnection({ path: socket });
    const timer = setTimeout(() => {
      fail(
        new TransportError(
          'DAEMON_TIMEOUT',
          `no reply from the daemon within ${timeoutMs} ms (socket ${socket})`,
        ),
      );
    }, timeoutMs);
    const onAbort = () => fail(new TransportError('ABORTED', 'request was abandoned'));

    function settle() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      connection.removeAllListeners();
      connection.on('error', () => {});
      connection.destroy();
    }
    function fail(error: TransportError) {
      settle();
      reject(error);
    }
    const badReply = (what: string) =>
      fail(new TransportError('DAEMON_BAD_REPLY', `the daemon's answer is ${what} (socket ${socket})`));

    const splitter = new LineSplitter({
      line: (bytes) => {
        const reply = decodeReply(bytes);
        if (reply === undefined) return badReply('not a reply');
        settle();
        resolve(reply);
      },
      oversize: () => badReply(`longer than ${LINE_LIMIT_BYTES} bytes`),
    });
    if (options.signal?.aborted) return onAbort();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    connection.on('connect', () => connection.write(encodeRequest(request)));
    connection.on('data', (chunk) => splitter.push(chunk));
    connection.on('end', () => {
      splitter.end();
      fail(new TransportError('DAEMON_BAD_REPLY', `the daemon closed the connection (socket ${socket})`));
    });
    connection.on('error', (error) => {
      const code = systemErrorCode(error);
      const message = `failed to connect to daemon socket ${socket} (is the daemon running?)`;
      fail(
        new TransportError('DAEMON_UNREACHABLE', code ? `${message}: ${code}` : message, { cause: error }),
      );
    });
  });
}
