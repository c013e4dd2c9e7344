import {
  CUE_COLORS,
  type Decoration,
  decodeTally,
  decoration,
  encodeTally,
  mostSevere,
  type TooltipSubject,
} from './decoration.ts';
import type { Tally } from './tally.ts';

/** Scheme of the rows' URIs: decorations are asked for by URI, and only for ours they are given. */
export const CUE_SCHEME = 'omni-dev-sessions';

/** What a row's URI says. The key `claude` is the contract's; the others are additive and left out where they say nothing. */
export interface Cues {
  tally: Tally;
  subject: TooltipSubject;
  /** A session of the row sits idle after a failed turn. */
  failed: boolean;
}

/** `claude=<working>-<waiting>-<idle>`, then `agents=1` and `failed=1` where they hold. */
export function encodeCues({ tally, subject, failed }: Cues): string {
  return `claude=${encodeTally(tally)}${subject === 'Agents' ? '&agents=1' : ''}${failed ? '&failed=1' : ''}`;
}

/** Badge, colour and tooltip that a row's query stands for; undefined for none. The colour is the row's most severe. */
export function decorationOfQuery(query: string): Decoration | undefined {
  const values = new Map(
    query.split('&').map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=');
      return [key, value];
    }),
  );
  const tally = decodeTally(values.get('claude') ?? '');
  const drawn = decoration(tally, values.get('agents') === '1' ? 'Agents' : 'Claude');
  if (drawn === undefined) return undefined;
  const failed = values.get('failed') === '1' ? [CUE_COLORS.failed] : [];
  return { ...drawn, colorId: mostSevere([drawn.colorId, ...failed]) ?? drawn.colorId };
}
