import { isSwitchedOn } from '../../contract/switch.ts';

const FAMILIES = [
  ['sol', '🟡 Sol'],
  ['luna', '🔵 Luna'],
  ['terra', '🟤 Terra'],
  ['astra', '🟣 Astra'],
] as const;

/** What stands before Codex's own title: a circle and the model's family, the last word of ids such as `gpt-6.2-sol`. */
export function titlePrefix(model: string): string {
  const words = model.toLowerCase().split(/[^a-z]+/);
  const family = FAMILIES.find(([word]) => words.includes(word))?.[1] ?? '⚪ Codex';
  return `${family} · `;
}

/** True when OMNI_DEV_CODEX_WRAP_NO_TITLE_REWRITE switches titles off. */
export function titlesAreOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return isSwitchedOn(env.OMNI_DEV_CODEX_WRAP_NO_TITLE_REWRITE);
}
