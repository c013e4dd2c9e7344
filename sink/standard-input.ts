/** The most that is read of a hook's input. Larger payloads exist only as tool output, which is not ours to hold. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** What stands in a pipe is read within this time; an agent that goes on writing is not waited for. */
const CUT_OFF_SECONDS = 0.05;

/**
 * A hook's standard input, read to its end. Past the limit the rest is read and dropped, so that the agent never meets a
 * closed pipe; the input is then undefined.
 */
export class StandardInput {
  readonly whole: Promise<string | undefined>;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #finish: () => void = () => {};

  constructor(stream: NodeJS.ReadableStream) {
    this.whole = new Promise((resolve) => {
      this.#finish = () => resolve(this.#bytes > MAX_INPUT_BYTES ? undefined : this.#text());
    });
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('end', this.#finish);
    stream.on('error', this.#finish);
  }

  /**
   * Ends the input with what stands in the pipe by now. An agent too busy to close the pipe has written it all the same,
   * and a process that the machine let run only now has not even looked at it.
   */
  cutOff(): void {
    const until = process.uptime() + CUT_OFF_SECONDS;
    let seen = -1;
    const look = () => {
      if (this.#bytes === seen || process.uptime() > until) return this.#finish();
      seen = this.#bytes;
      setImmediate(look);
    };
    look();
  }

  #text(): string {
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    return whole.toString('utf8');
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_INPUT_BYTES) this.#chunks.length = 0;
    else this.#chunks.push(chunk);
  }
}
