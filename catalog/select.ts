import { type Candidate, type Harness, parseHarness } from './session.ts';

/** Fewest characters of an id that stand for it. */
export const SHORTEST_PREFIX = 4;
/** Candidates shown of an ambiguous reference. */
export const CANDIDATES_SHOWN = 5;

/** What a reference means. */
export type Selection =
  | { kind: 'one'; candidate: Candidate }
  | { kind: 'none' }
  | { kind: 'too-short' }
  | { kind: 'unknown-harness'; harness: string }
  /** `count` matched; a few of them are shown, newest first. */
  | { kind: 'ambiguous'; count: number; shown: Candidate[] };

/**
 * Finds the session a reference means: an id or its beginning, four characters or more, in any case, optionally behind
 * the harness (`codex:0199`). A whole id counts however short it is, and before ids that begin with it.
 *
 * @param candidates newest first
 */
export function matchIds(candidates: readonly Candidate[], reference: string): Selection {
  const { harness, prefix, unknown } = parseReference(reference);
  if (unknown !== undefined) return { kind: 'unknown-harness', harness: unknown };
  const inHarness = candidates.filter((candidate) => harness === undefined || candidate.harness === harness);
  const whole = inHarness.filter(({ id }) => id.toLowerCase() === prefix);
  const matches =
    whole.length > 0 ? whole : inHarness.filter(({ id }) => id.toLowerCase().startsWith(prefix));
  if (whole.length === 0 && prefix.length < SHORTEST_PREFIX) return { kind: 'too-short' };
  const [first] = matches;
  if (first === undefined) return { kind: 'none' };
  if (matches.length === 1) return { kind: 'one', candidate: first };
  return { kind: 'ambiguous', count: matches.length, shown: matches.slice(0, CANDIDATES_SHOWN) };
}

function parseReference(reference: string): {
  harness: Harness | undefined;
  prefix: string;
  unknown: string | undefined;
} {
  const trimmed = reference.trim();
  const colon = trimmed.indexOf(':');
  if (colon === -1) return { harness: undefined, prefix: trimmed.toLowerCase(), unknown: undefined };
  const word = trimmed.slice(0, colon);
  const harness = parseHarness(word);
  return {
    harness,
    prefix: trimmed.slice(colon + 1).toLowerCase(),
    unknown: harness === undefined ? word : undefined,
  };
}
