import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A model's stand-in, reachable on this machine only. */
export interface LoopbackModel {
  url: string;
  /** How many answers it gave. */
  readonly answers: number;
  close(): Promise<void>;
}

/** Serves one request. The body is decoded; an answer is written to the response. */
export type Serve = (route: string, body: string, response: http.ServerResponse) => Promise<boolean>;

/**
 * Starts a server on 127.0.0.1, on a port that the system chooses.
 *
 * @param serve resolves with true for a request that was an answer of the model
 */
export async function startLoopback(serve: Serve): Promise<LoopbackModel> {
  let answers = 0;
  const server = http.createServer((request, response) => {
    const route = `${request.method} ${(request.url ?? '').split('?')[0]}`;
    readBody(request)
      .then((body) => serve(route, body, response))
      .then((isAnswer) => {
        if (isAnswer) answers += 1;
      })
      .catch(() => response.destroy());
  });
  // Codex asks for a WebSocket first and goes on without one.
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get answers() {
      return answers;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** Answers with JSON. */
export function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Begins an answer of server-sent events, and gives what writes one. */
export function startEvents(response: http.ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (type, data) => {
    if (!response.destroyed) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
}

const DECODERS: Record<string, ((bytes: Buffer) => Buffer) | undefined> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const decode = DECODERS[request.headers['content-encoding'] ?? ''];
  return (decode?.(bytes) ?? bytes).toString('utf8');
}
