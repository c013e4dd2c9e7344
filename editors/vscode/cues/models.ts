import { bucketOf, type TalliedSession } from './tally.ts';
import { WorktreePaths } from './worktree-paths.ts';

/** Families by the text that names them in a model id, in the order of the marker. `*` is any other model. */
const FAMILIES = [
  { letter: 'h', needle: 'haiku' },
  { letter: 's', needle: 'sonnet' },
  { letter: 'o', needle: 'opus' },
  { letter: 'f', needle: 'fable' },
  { letter: 'g', needle: 'gpt-' },
] as const;

export type ModelFamily = (typeof FAMILIES)[number]['letter'] | '*';

const MARKER_ORDER: readonly ModelFamily[] = [...FAMILIES.map(({ letter }) => letter), '*'];

/** The family letter of a model id; a missing one is `*`. */
export function classifyModel(model: string | undefined): ModelFamily {
  const lower = (model ?? '').toLowerCase();
  return FAMILIES.find(({ needle }) => lower.includes(needle))?.letter ?? '*';
}

function inMarkerOrder(families: ReadonlySet<string>): ModelFamily[] {
  return MARKER_ORDER.filter((letter) => families.has(letter));
}

/** `[ho]`: the letters in marker order, or the empty text for none. */
export function modelMarker(families: Iterable<string> | undefined): string {
  const letters = inMarkerOrder(new Set(families ?? []));
  return letters.length === 0 ? '' : `[${letters.join('')}]`;
}

/** The families of each worktree's sessions, in marker order; the sessions that count are those of the tally. */
export function modelsByWorktree(
  sessions: readonly (TalliedSession & { model?: string })[],
  paths: readonly string[],
): Map<string, ModelFamily[]> {
  const worktrees = new WorktreePaths(paths);
  const found = new Map<string, Set<ModelFamily>>();
  for (const session of sessions) {
    const path = bucketOf(session.state) && worktrees.containing(session.cwd);
    if (path === undefined) continue;
    const families = found.get(path) ?? new Set();
    found.set(path, families.add(classifyModel(session.model)));
  }
  return new Map([...found].map(([path, families]) => [path, inMarkerOrder(families)]));
}

/** The families of several worktrees together, in marker order: what a repository's row shows. */
export function unionOfModels(
  byPath: ReadonlyMap<string, readonly ModelFamily[]>,
  paths: readonly string[],
): ModelFamily[] {
  return inMarkerOrder(new Set(paths.flatMap((path) => byPath.get(path) ?? [])));
}
