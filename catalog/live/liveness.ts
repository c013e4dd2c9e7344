import type { Runtime } from '../session.ts';

/** `absent`: shown not to be running. `unknown`: nothing shows either. */
export type Liveness = { kind: 'running'; runtime: Runtime } | { kind: 'absent' } | { kind: 'unknown' };

export const ABSENT: Liveness = { kind: 'absent' };
export const UNKNOWN: Liveness = { kind: 'unknown' };

/** A session shown to be running. */
export function running(runtime: Runtime): Liveness {
  return { kind: 'running', runtime };
}

/** Several sources' words on one session: a proof of running wins, then doubt, then a proof of absence. */
export function combine(...words: readonly Liveness[]): Liveness {
  return (
    words.find((word) => word.kind === 'running') ??
    words.find((word) => word.kind === 'unknown') ??
    words[0] ??
    UNKNOWN
  );
}
