import { isSwitchedOn } from '../../contract/switch.ts';

const FAMILIES = [
  ['fable', '🟠 Fable'],
  ['opus', '🟡 Opus'],
  ['sonnet', '🟢 Sonnet'],
  ['haiku', '🔵 Haiku'],
] as const;

/** What stands before Claude's own title: a circle and the model's family, told by the model id in any form. */
export function titlePrefix(model: string): string {
  const lower = model.toLowerCase();
  const family = FAMILIES.find(([word]) => lower.includes(word))?.[1] ?? '⚪ Claude';
  return `${family} · `;
}

/** True when OMNI_DEV_CLAUDE_WRAP_NO_TITLE_REWRITE switches titles off. */
export function titlesAreOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return isSwitchedOn(env.OMNI_DEV_CLAUDE_WRAP_NO_TITLE_REWRITE);
}
