/** Milliseconds of many runs. */
export interface Sample {
  median: number;
  min: number;
  max: number;
  p99: number;
  runs: number;
}

/** One measured claim: a figure, its baseline from the same run, and what the ratio should be. */
export interface Result {
  name: string;
  figure: Sample | number;
  baseline?: Sample | number;
  unit: string;
  /** The claim in words: `<= 1.25 x`, `>= 0.9 x`, `<= 1000`. */
  goal: string;
  met: boolean;
  note?: string;
}

export interface Benchmark {
  name: string;
  about: string;
  run(): Promise<Result[]>;
}

export function summarize(values: readonly number[]): Sample {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), min: at(0), max: at(1), p99: at(0.99), runs: sorted.length };
}

/**
 * Measures two things by turns, so that what else the machine does falls on both. Each is run once before it counts.
 *
 * @returns the samples of both, in milliseconds.
 */
export async function inTurns(
  runs: number,
  figure: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<[Sample, Sample]> {
  await baseline();
  await figure();
  const figures: number[] = [];
  const baselines: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    baselines.push(await baseline());
    figures.push(await figure());
  }
  return [summarize(figures), summarize(baselines)];
}

/** Milliseconds that something takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

const middle = (value: Sample | number): number => (typeof value === 'number' ? value : value.median);

/** A result whose ratio to the baseline has a bound. */
export function ratioResult(
  name: string,
  unit: string,
  figure: Sample | number,
  baseline: Sample | number,
  bound: { most: number } | { least: number },
): Result {
  const ratio = middle(figure) / middle(baseline);
  const [goal, met] =
    'most' in bound
      ? [`<= ${bound.most} x`, ratio <= bound.most]
      : [`>= ${bound.least} x`, ratio >= bound.least];
  return { name, unit, figure, baseline, goal, met };
}

/** A result with an absolute bound. */
export function boundResult(
  name: string,
  unit: string,
  figure: Sample | number,
  most: number,
  note?: string,
): Result {
  const met = middle(figure) <= most;
  return { name, unit, figure, goal: `<= ${most}`, met, ...(note === undefined ? {} : { note }) };
}

/** A result whose excess over the baseline has a bound. */
export function overResult(
  name: string,
  unit: string,
  figure: number,
  baseline: number,
  most: number,
): Result {
  return { name, unit, figure, baseline, goal: `<= +${most}`, met: figure - baseline <= most };
}

export function ratioOf(result: Result): number | undefined {
  return result.baseline === undefined ? undefined : middle(result.figure) / middle(result.baseline);
}
