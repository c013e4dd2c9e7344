import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../support/programs.ts';

/** The text of a page of docs/. */
export function page(name: string): string {
  return readFileSync(path.join(REPOSITORY, 'docs', name), 'utf8');
}

/** The cells of every table row of a page whose table has this first heading. */
export function rowsOf(text: string, firstHeading: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      inside = false;
      continue;
    }
    const cells = line.split(' | ').map((cell) => cell.replace(/^\|\s*|\s*\|$/g, '').trim());
    if (cells[0] === firstHeading) inside = true;
    else if (inside && !/^[|-]+$/.test(line)) rows.push(cells);
  }
  return rows;
}

/** The texts that a cell sets as code. */
export function codeIn(cell: string): string[] {
  return [...cell.matchAll(/``\s?(.+?)\s?``(?!`)|`([^`]+)`/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );
}
