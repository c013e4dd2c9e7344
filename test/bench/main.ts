import Table from 'cli-table3';
import { type Benchmark, type Result, ratioOf, type Sample } from './measure.ts';

const number = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3);

function cell(value: Sample | number | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'number'
    ? number(value)
    : `${number(value.median)} (${number(value.min)} to ${number(value.max)})`;
}

function printTable(results: readonly Result[]): void {
  const table = new Table({
    head: ['benchmark', 'figure', 'baseline', 'unit', 'ratio', 'goal', 'met'],
    style: { head: [] },
  });
  for (const result of results) {
    const ratio = ratioOf(result);
    table.push([
      result.name,
      cell(result.figure),
      cell(result.baseline),
      result.unit,
      ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
      result.goal,
      result.met ? 'yes' : 'NO',
    ]);
  }
  console.log(table.toString());
}

/** Runs the benchmarks whose names hold one of the given words (all without words); `--json` prints JSON instead. */
export async function main(benchmarks: readonly Benchmark[], argv: readonly string[]): Promise<void> {
  const words = argv.filter((word) => !word.startsWith('--'));
  const chosen = benchmarks.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const results: Result[] = [];
  for (const benchmark of chosen) {
    process.stderr.write(`${benchmark.name}: ${benchmark.about}\n`);
    results.push(...(await benchmark.run()));
  }
  if (argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
  else printTable(results);
}
