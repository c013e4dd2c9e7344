import { createInterface, type Interface } from 'node:readline';

/** Lines of a stream, taken one at a time. */
export class LineQueue {
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor(stream: NodeJS.ReadableStream) {
    this.#reader = createInterface({ input: stream });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Waits for one line; false when the stream has ended. */
  async next(): Promise<boolean> {
    return (await this.#lines.next()).done !== true;
  }

  close(): void {
    this.#reader.close();
  }
}
