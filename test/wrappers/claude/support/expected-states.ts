import type { Capture, ExpectedChange } from './captures.ts';

/** The expected changes from the first record with an id on, without the exit. */
export function visibleChanges({ changes, identity }: Capture): ExpectedChange[] {
  const first = identity[0]?.index;
  if (first === undefined) return [];
  const before = changes.filter(({ index }) => index <= first).at(-1);
  const after = changes.filter(({ index, state }) => index > first && state !== 'ended');
  return [...(before === undefined ? [] : [{ ...before, index: first, earliest: first }]), ...after];
}
