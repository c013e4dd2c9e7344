import net from 'node:net';

/** A connection that keeps a number of requests under way at all times. */
export class PipelinedClient {
  readonly #socket: net.Socket;
  #left = 0;
  #unanswered = 0;
  #next: () => string = () => '';
  #done: () => void = () => {};

  constructor(path: string) {
    this.#socket = net.createConnection(path);
    this.#socket.on('data', (chunk: Buffer) => this.#answered(chunk));
  }

  /** Sends `count` lines, `depth` of them ahead of their answers; resolves when all are answered. */
  run(count: number, depth: number, next: () => string): Promise<void> {
    this.#left = count;
    this.#next = next;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#send(Math.min(depth, count));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(lines: number): void {
    let text = '';
    for (let line = 0; line < lines && this.#left > 0; line += 1) {
      text += this.#next();
      this.#left -= 1;
      this.#unanswered += 1;
    }
    if (text !== '') this.#socket.write(text);
  }

  #answered(chunk: Buffer): void {
    let lines = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    this.#unanswered -= lines;
    this.#send(lines);
    if (this.#left === 0 && this.#unanswered === 0) this.#done();
  }
}
