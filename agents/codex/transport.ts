import net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { decodeUtf8, LineSplitter } from '../../contract/line-splitter.ts';

/** Carries whole JSON texts, one message each, in both directions. */
export interface TextTransport {
  /** To be called once. `closed` follows at most once, after the last text. */
  listen(onText: (text: string) => void, onClosed: () => void): void;
  send(text: string): void;
  close(): void;
}

/** Largest message taken from a server. A bigger one closes the connection: nothing that an observer asks for is near. */
const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a WebSocket on an app-server's Unix socket. Compression is not offered: the server has it off.
 *
 * @param realPath the socket itself, as `resolveControlSocket` found it.
 * @throws Error when nobody upgrades the connection within `timeoutMs`.
 */
export function openWebSocket(realPath: string, timeoutMs = 5_000): Promise<TextTransport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket('ws://localhost/rpc', {
      createConnection: () => net.createConnection({ path: realPath }),
      perMessageDeflate: false,
      maxPayload: LARGEST_MESSAGE_BYTES,
    });
    // The library's own handshake timeout does not reach a connection that was made here.
    const timer = setTimeout(() => socket.terminate(), timeoutMs);
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('open', () => {
      clearTimeout(timer);
      resolve(webSocketTransport(socket));
    });
  });
}

function webSocketTransport(socket: WebSocket): TextTransport {
  // The server may speak before anybody listens.
  const early: string[] = [];
  let onText = (text: string): void => void early.push(text);
  socket.on('message', (data, isBinary) => {
    if (!isBinary) onText(String(data));
  });
  return {
    listen(take, onClosed) {
      onText = take;
      for (const text of early.splice(0)) take(text);
      if (socket.readyState === WebSocket.CLOSED) onClosed();
      else socket.once('close', onClosed);
    },
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      // A server that hangs would never answer the closing handshake.
      socket.close();
      setTimeout(() => socket.terminate(), 200).unref();
    },
  };
}

/** One JSON text per line, as an app-server speaks on its standard streams. */
export function lineTransport(input: Readable, output: Writable): TextTransport {
  return {
    listen(onText, onClosed) {
      const splitter = new LineSplitter(
        {
          line: (bytes) => {
            const text = decodeUtf8(bytes);
            if (text !== undefined) onText(text);
          },
          oversize: () => {},
        },
        { limit: LARGEST_MESSAGE_BYTES },
      );
      input.on('data', (chunk: Buffer) => splitter.push(chunk));
      input.on('error', () => {});
      input.once('close', () => {
        splitter.end();
        onClosed();
      });
      output.on('error', () => {});
    },
    send(text) {
      output.write(`${text}\n`);
    },
    close() {
      output.end();
      input.destroy();
    },
  };
}
