import net from 'node:net';
import { decodeReply, encodeRequest } from '../../contract/client.ts';
import { LineSplitter } from '../../contract/line-splitter.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot } from '../../contract/subscription.ts';

/** A subscriber that reads every frame and tells when one shows what is waited for. */
export class SnapshotStream {
  /** Resolves with the first frame. */
  readonly opened: Promise<void>;
  readonly #socket: net.Socket;
  #opens: () => void = () => {};
  #wanted: { id: string; state: string; seen: () => void } | undefined;

  constructor(path: string) {
    this.opened = new Promise((resolve) => {
      this.#opens = resolve;
    });
    this.#socket = net.createConnection(path, () =>
      this.#socket.write(encodeRequest(sessionsRequest('subscribe'))),
    );
    const splitter = new LineSplitter({ line: (line) => this.#frame(line), oversize: () => {} });
    this.#socket.on('data', (chunk: Buffer) => splitter.push(chunk));
  }

  /** Resolves as soon as a frame shows the session in this state. */
  shows(id: string, state: string): Promise<void> {
    return new Promise((seen) => {
      this.#wanted = { id, state, seen };
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #frame(line: Buffer): void {
    this.#opens();
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    const reply = decodeReply(line);
    const sessions = reply?.ok === true ? asSnapshot(reply.payload)?.sessions : undefined;
    if (sessions?.some(({ session_id, state }) => session_id === wanted.id && state === wanted.state)) {
      this.#wanted = undefined;
      wanted.seen();
    }
  }
}
