import type { CodexHost } from './codex-host.ts';

/** What a person does with `/hooks`: tells Codex to trust every hook of the home, by the hashes that Codex itself names. */
export async function trustInstalledHooks(
  host: CodexHost,
  codexHome: string,
  project: string,
): Promise<void> {
  const hooks = hooksOf(await host.request('hooks/list', { cwds: [project] }), codexHome);
  const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
  const edit = { keyPath: 'hooks.state', mergeStrategy: 'upsert', value };
  if (hooks.length > 0) await host.request('config/batchWrite', { edits: [edit], reloadUserConfig: true });
}

interface ListedHook {
  key: string;
  currentHash: string;
}

function hooksOf(answer: unknown, codexHome: string): ListedHook[] {
  const { data } = Object(answer) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  return data
    .flatMap((entry: unknown) => {
      const { hooks } = Object(entry) as { hooks?: unknown };
      return Array.isArray(hooks) ? hooks.filter(isListedHook) : [];
    })
    .filter(({ key }) => key.includes(codexHome));
}

function isListedHook(value: unknown): value is ListedHook {
  const { key, currentHash } = Object(value) as Partial<ListedHook>;
  return typeof key === 'string' && typeof currentHash === 'string';
}
