import { readTurnMark } from '../../../../agents/codex/turn-end.ts';
import { CodexRollouts } from '../../../../daemon-lite/feeds/codex-rollouts.ts';
import { CodexBench } from './codex-bench.ts';

/** A bench with the rollout feed on it, whose background reads can be waited for. */
export class RolloutBench extends CodexBench {
  readonly #reads: Promise<unknown>[] = [];
  readonly feed = new CodexRollouts({
    codexHome: this.codexHome,
    ingest: this.ingest,
    registry: this.registry,
    clock: this.clock,
    log: this.log,
    readTurn: (file) => {
      const read = readTurnMark(file);
      this.#reads.push(read);
      return read;
    },
  });

  /** Five seconds of the feed, and what it reads in the background. */
  async look(): Promise<void> {
    this.later += 5_000;
    this.feed.lookAtRollouts(this.reading);
    this.feed.lookAtLocks(this.reading);
    await Promise.all(this.#reads.splice(0));
    await new Promise((done) => setImmediate(done));
  }
}
