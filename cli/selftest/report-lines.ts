import { sanitize } from '../../contract/sanitize.ts';
import { fitCell } from '../view/cells.ts';
import type { Paint } from '../view/paint.ts';
import type { SelftestReport, Signal, SignalResult } from './signals.ts';

const TONES = { ok: 'active', missing: 'alarm', new: 'attention' } as const satisfies Record<
  SignalResult,
  string
>;

/** The report as a table and a verdict. */
export function selftestLines(report: SelftestReport, paint: Paint): string[] {
  const { agent, program, version, signals, problem, skipped = [] } = report;
  const head = `${agent} ${version ?? '(version unknown)'}  ${sanitize(program)}`;
  const trouble = problem === undefined ? [] : [paint.tone('alarm', sanitize(problem))];
  return [
    head,
    ...trouble,
    '',
    `${fitCell('FEED', 11)} ${fitCell('SIGNAL', 38)} RESULT`,
    ...signals.map((one) => line(one, paint)),
    ...skipped.map((what) => `not tried: ${sanitize(what)}`),
    '',
    verdict(report),
  ];
}

function line({ feed, name, result, note }: Signal, paint: Paint): string {
  const word = paint.tone(TONES[result], result);
  return `${fitCell(feed, 11)} ${fitCell(name, 38)} ${word}${note === undefined ? '' : `  ${sanitize(note)}`}`;
}

function verdict({ agent, ok, signals }: SelftestReport): string {
  const missing = signals.filter(({ result }) => result === 'missing');
  if (ok) return `Every signal of ${agent} came that omni-dev reads.`;
  const feeds = [...new Set(missing.map(({ feed }) => feed))].join(', ');
  return `${missing.length} signal(s) did not come (${feeds}): look for a newer omni-dev, or report this table.`;
}
