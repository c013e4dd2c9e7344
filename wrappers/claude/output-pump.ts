import type { Readable } from 'node:stream';
import { type OwnOutput, openOwnOutput } from './own-stdio.ts';
import { pump } from './pump.ts';
import { titlesAreOff } from './title-prefix.ts';
import { TitleRewriter } from './title-rewriter.ts';

/** After the child's exit its stdout may be held open by others; this much silence there counts as the end. */
const SILENCE_MS = 2_000;
const SILENCE_CHECK_MS = 200;

/** An unfinished title sequence is given up after this much silence: its bytes are somebody's output. */
const HELD_BYTES_MS = 200;

/** The way from the child's stdout to this process's own, with the titles rewritten unless that is switched off. */
export class OutputPump {
  /** Resolves when the child's stdout is at its end; everything it gave has been looked at then. */
  readonly sourceEnded: Promise<void>;
  readonly #output: OwnOutput = openOwnOutput();
  readonly #source: Readable;
  readonly #done: Promise<void>;
  readonly #titles = titlesAreOff(process.env) ? undefined : new TitleRewriter();
  #heldTimer: NodeJS.Timeout | undefined;
  #readBytes = 0;

  constructor(source: Readable, look: (chunk: Buffer) => void) {
    this.#source = source;
    this.sourceEnded = new Promise((resolve) => source.once('close', resolve).once('end', resolve));
    const titles = this.#titles;
    this.#done = new Promise((resolve) => {
      pump({
        source,
        sink: this.#output.stream,
        ...(titles === undefined ? {} : { rewrite: (chunk) => this.#rewrite(titles, chunk) }),
        look: (chunk) => {
          this.#readBytes += chunk.length;
          look(chunk);
        },
        atEnd: () => titles?.release(),
        onDone: () => {
          this.#output.close();
          resolve();
        },
      });
    });
  }

  /** Titles carry this model from now on. */
  setModel(model: string): void {
    const correction = this.#titles?.setModel(model);
    if (correction !== undefined) this.#write(correction);
  }

  /**
   * Resolves when the reader has everything that the child wrote. For use after the child's exit: it waits as long as
   * the reader takes, but not for silent others that hold the child's stdout open.
   */
  async delivered(): Promise<void> {
    let silentMs = 0;
    let seen = this.#readBytes;
    const check = setInterval(() => {
      const isSilent = seen === this.#readBytes && this.#output.stream.writableLength === 0;
      silentMs = isSilent ? silentMs + SILENCE_CHECK_MS : 0;
      seen = this.#readBytes;
      if (silentMs >= SILENCE_MS) this.#source.destroy();
    }, SILENCE_CHECK_MS);
    await this.#done;
    clearInterval(check);
  }

  #rewrite(titles: TitleRewriter, chunk: Buffer): Buffer[] {
    const pieces = titles.push(chunk);
    if (this.#heldTimer !== undefined) clearTimeout(this.#heldTimer);
    this.#heldTimer = titles.holds ? setTimeout(() => this.#giveUpHeld(titles), HELD_BYTES_MS) : undefined;
    return pieces;
  }

  #giveUpHeld(titles: TitleRewriter): void {
    this.#heldTimer = undefined;
    const held = titles.release();
    if (held !== undefined) this.#write(held);
  }

  #write(bytes: Buffer): void {
    const { stream } = this.#output;
    if (!stream.writableEnded && !stream.destroyed) stream.write(bytes);
  }
}
