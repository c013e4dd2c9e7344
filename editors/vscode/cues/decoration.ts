import type { Tally } from './tally.ts';

/** Theme colours of the cues, most severe first. Red is for a last turn that failed. */
export const CUE_COLORS = {
  failed: 'charts.red',
  waiting: 'charts.yellow',
  working: 'charts.green',
  idle: 'descriptionForeground',
} as const;
export type CueColor = (typeof CUE_COLORS)[keyof typeof CUE_COLORS];

const SEVERITY: readonly CueColor[] = Object.values(CUE_COLORS);

/** Buckets, most urgent first, with the glyph each has everywhere. */
const BUCKETS = [
  { bucket: 'waiting', glyph: '!', words: 'waiting on you' },
  { bucket: 'working', glyph: '⚙', words: 'working' },
  { bucket: 'idle', glyph: '◦', words: 'idle' },
] as const;

/** What VS Code draws beside a row. */
export interface Decoration {
  /** At most two characters: VS Code refuses more. */
  badge: string;
  colorId: CueColor;
  tooltip: string;
}

/** Whose sessions a tooltip speaks of. */
export type TooltipSubject = 'Claude' | 'Agents';

/** `Claude` when every session is Claude's, else `Agents`. A row without the key comes from a daemon that knows Claude only. */
export function tooltipSubject(agents: Iterable<string | undefined>): TooltipSubject {
  for (const agent of agents) if (agent !== undefined && agent !== 'claude') return 'Agents';
  return 'Claude';
}

/** The row text: `!2 ⚙1 ◦5`, only the non-empty buckets, uncapped; empty for nothing. */
export function glyphs(tally: Tally | undefined): string {
  if (tally === undefined) return '';
  return BUCKETS.filter(({ bucket }) => tally[bucket] > 0)
    .map(({ bucket, glyph }) => `${glyph}${tally[bucket]}`)
    .join(' ');
}

/** `Claude: 1 waiting on you, 2 working`, or undefined for nothing. */
export function tooltip(tally: Tally | undefined, subject: TooltipSubject = 'Claude'): string | undefined {
  if (tally === undefined) return undefined;
  const parts = BUCKETS.filter(({ bucket }) => tally[bucket] > 0).map(
    ({ bucket, words }) => `${tally[bucket]} ${words}`,
  );
  return parts.length === 0 ? undefined : `${subject}: ${parts.join(', ')}`;
}

/** Badge, colour and tooltip of a row by its most urgent bucket, or undefined for nothing. */
export function decoration(
  tally: Tally | undefined,
  subject: TooltipSubject = 'Claude',
): Decoration | undefined {
  if (tally === undefined) return undefined;
  const line = tooltip(tally, subject);
  const first = BUCKETS.find(({ bucket }) => tally[bucket] > 0);
  if (line === undefined || first === undefined) return undefined;
  const count = tally[first.bucket];
  return {
    badge: `${first.glyph}${count > 9 ? '+' : count}`,
    colorId: CUE_COLORS[first.bucket],
    tooltip: line,
  };
}

/** The most severe of a row's colours (red, yellow, green, muted), or undefined for none. */
export function mostSevere(colors: readonly CueColor[]): CueColor | undefined {
  return SEVERITY.find((color) => colors.includes(color));
}

/** The tally as it stands in a row's URI: `<working>-<waiting>-<idle>`. */
export function encodeTally(tally: Tally): string {
  return `${tally.working}-${tally.waiting}-${tally.idle}`;
}

/** Reads what {@link encodeTally} wrote; anything else is undefined. */
export function decodeTally(text: string): Tally | undefined {
  const match = /^(\d+)-(\d+)-(\d+)$/.exec(text);
  if (match === null) return undefined;
  const [working, waiting, idle] = match.slice(1).map(Number);
  if (!Number.isSafeInteger(working) || !Number.isSafeInteger(waiting) || !Number.isSafeInteger(idle))
    return undefined;
  return { working: working ?? 0, waiting: waiting ?? 0, idle: idle ?? 0 };
}
