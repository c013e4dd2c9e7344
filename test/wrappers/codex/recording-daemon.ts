import { mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { EndPayload, ObservePayload } from '../../../contract/messages.ts';

/** A daemon that agrees with everything and keeps what it was told. */
export class RecordingDaemon {
  readonly observes: ObservePayload[] = [];
  readonly ends: EndPayload[] = [];
  readonly #server: net.Server;

  constructor(socket: string) {
    mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
    this.#server = net.createServer((connection) => {
      let text = '';
      connection.on('error', () => {});
      connection.on('data', (chunk) => {
        text += chunk;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
          this.#take(JSON.parse(text.slice(0, end)) as { op: string; payload: unknown });
          text = text.slice(end + 1);
          connection.write('{"ok":true,"payload":{"ok":true}}\n');
        }
      });
    });
    this.#server.listen(socket);
  }

  /** What was told, as words: `working`, `idle done`, `ended interface_exited`. Repeats are left out. */
  words: string[] = [];

  close(): Promise<void> {
    return new Promise((done) => this.#server.close(() => done()));
  }

  #take({ op, payload }: { op: string; payload: unknown }): void {
    let word = op;
    if (op === 'observe') {
      const observe = payload as ObservePayload;
      this.observes.push(observe);
      const state =
        typeof observe.event === 'object' && 'stream_state' in observe.event
          ? observe.event.stream_state
          : 'other';
      word = [state, observe.outcome].filter(Boolean).join(' ');
    } else if (op === 'end') {
      const end = payload as EndPayload;
      this.ends.push(end);
      word = `ended ${end.reason}`;
    }
    if (this.words.at(-1) !== word) this.words.push(word);
  }
}
