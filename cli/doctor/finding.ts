/** How bad a finding is. */
export const LEVELS = ['ok', 'warning', 'problem'] as const;
export type Level = (typeof LEVELS)[number];

/** One line of `doctor`. */
export interface Finding {
  /** What was looked at: a word that scripts can rely on. */
  check: string;
  level: Level;
  text: string;
  /** What to do about it, as a command or a sentence; on every warning and problem. */
  fix?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, level: 'ok', text };
}

export function warning(check: string, text: string, fix: string): Finding {
  return { check, level: 'warning', text, fix };
}

export function problem(check: string, text: string, fix: string): Finding {
  return { check, level: 'problem', text, fix };
}

/** The worst level among findings. */
export function worstOf(findings: readonly Finding[]): Level {
  return LEVELS[Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))] ?? 'ok';
}
