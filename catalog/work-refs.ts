import { RE2JS } from 're2js';

/** A named pattern of work-tracking identifiers, in RE2's syntax: no look-around, no back-references. */
export interface WorkRefRule {
  name: string;
  pattern: string;
}

/** The rules in force where the configuration has none. */
export const DEFAULT_WORK_REF_RULES: readonly WorkRefRule[] = [
  { name: 'initiative', pattern: '\\bINIT-[A-Z0-9]+-\\d{3,}\\b' },
  { name: 'rmi', pattern: '\\bRMI-[A-Z0-9]+-\\d{3,}\\b' },
];

/** A work-tracking identifier and every kind of place it was found in. */
export interface WorkRef {
  id: string;
  /** Name of the first rule that found it. */
  rule: string;
  /** `title`, `prompt`, `branch`, `commit`, ... in order of finding. */
  places: string[];
  /** From a {@link WorkRefResolver}. */
  title?: string;
}

/** A text to look through and what it is. */
export interface WorkRefSource {
  place: string;
  text: string;
}

/** Supplies titles of work items, for example from a tracker. Nothing implements it by default. */
export interface WorkRefResolver {
  /** Titles by id; ids without a title are left out. A failure leaves every title out. */
  titles(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Looked at of one text, and found in one, at most. */
const TEXT_LIMIT = 65_536;
const MATCH_LIMIT = 200;

/**
 * Finds work-tracking identifiers in linear time, whatever the pattern and the text: the patterns run on an engine that
 * never backtracks.
 */
export class WorkRefExtractor {
  readonly #rules: readonly { name: string; pattern: RE2JS }[];

  /** @throws an error of the pattern engine for a rule it cannot compile; the message names the fault */
  constructor(rules: readonly WorkRefRule[] = DEFAULT_WORK_REF_RULES) {
    this.#rules = rules.map(({ name, pattern }) => ({ name, pattern: RE2JS.compile(pattern) }));
  }

  /** One entry per identifier, in order of finding; one found in several places lists each. */
  extract(sources: Iterable<WorkRefSource>): WorkRef[] {
    const found = new Map<string, WorkRef>();
    for (const { place, text } of sources) {
      for (const { name, pattern } of this.#rules) {
        for (const id of matches(pattern, text.slice(0, TEXT_LIMIT))) {
          const known = found.get(id);
          if (known === undefined) found.set(id, { id, rule: name, places: [place] });
          else if (!known.places.includes(place)) known.places.push(place);
        }
      }
    }
    return [...found.values()];
  }
}

function matches(pattern: RE2JS, text: string): string[] {
  const ids: string[] = [];
  const matcher = pattern.matcher(text);
  while (ids.length < MATCH_LIMIT && matcher.find()) {
    const id = matcher.group();
    if (typeof id === 'string' && id !== '') ids.push(id);
  }
  return ids;
}

/** The references with titles where the resolver has any. */
export async function withTitles(
  refs: readonly WorkRef[],
  resolver: WorkRefResolver | undefined,
): Promise<WorkRef[]> {
  if (resolver === undefined || refs.length === 0) return [...refs];
  const titles = await resolver.titles(refs.map(({ id }) => id)).catch(() => new Map<string, string>());
  return refs.map((ref) => {
    const title = titles.get(ref.id);
    return title === undefined ? ref : { ...ref, title };
  });
}
