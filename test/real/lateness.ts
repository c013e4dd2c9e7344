import { expect } from 'vitest';

/**
 * No state may show up more milliseconds late. Far above what the product needs (some tens), because the machine also
 * runs the agents: it tells a push from a sweep or a retry.
 */
const LATEST_MS = 5_000;

/** Collects how late the states of a file's runs were seen, in milliseconds. */
export class Lateness {
  readonly #delays: number[] = [];

  /** Takes the delays of one run, prints them for the reader of the output, and checks that none is excessive. */
  add(name: string, delays: number[]): void {
    this.#delays.push(...delays);
    console.log(`${name}: states seen ${delays.join(', ')} ms late`);
    for (const delay of delays) expect(delay).toBeLessThan(LATEST_MS);
  }

  /** Says how late half of the states were, and nine in ten: a figure to read, not a bound. */
  print(): void {
    const sorted = [...this.#delays].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    console.log(`${sorted.length} states were seen ${at(0.5)} ms late (median), ${at(0.9)} ms (nine in ten)`);
  }
}
