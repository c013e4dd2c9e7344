import { sanitize } from '../../../contract/sanitize.ts';

/** One feed's reading in a `why` reply, as far as it has the expected shape. */
interface Reading {
  feed: string;
  state: string;
  age: string;
  note: string;
  decides: boolean;
}

/**
 * The reply of `why` as text for a person: which feed decides, and what each of them said last. A reply of another
 * shape is shown as it came.
 */
export function whyText(payload: unknown): string {
  const record = asRecord(payload);
  if (record === undefined || !Array.isArray(record.readings)) return `${JSON.stringify(payload, null, 2)}\n`;
  const readings = record.readings
    .map(asRecord)
    .filter((reading) => reading !== undefined)
    .map(asReading);
  const rows = [
    ['', 'FEED', 'STATE', 'LAST WORD', 'RULE'],
    ...readings.map(({ decides, feed, state, age, note }) => [decides ? '*' : '', feed, state, age, note]),
  ];
  return [
    `session  ${word(record.session_id)}`,
    `state    ${word(record.state)}, decided by ${word(record.decided_by)}`,
    `rule     ${word(record.rule)}`,
    ...(record.pid === undefined ? [] : [`pid      ${word(record.pid)}`]),
    '',
    ...table(rows),
    '',
  ].join('\n');
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function asReading(reading: Record<string, unknown>): Reading {
  const attached = reading.attached === false ? ' (detached)' : '';
  return {
    feed: word(reading.feed),
    state: `${word(reading.state)}${attached}`,
    age: typeof reading.age_s === 'number' ? `${Math.round(reading.age_s)} s ago` : '-',
    note: word(reading.rule),
    decides: reading.decides === true,
  };
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? sanitize(String(value)) : '-';
}

function table(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
