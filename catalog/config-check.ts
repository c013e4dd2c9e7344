import path from 'node:path';
import { z } from 'zod';
import { OmniDevError } from '../contract/errors.ts';
import type { CatalogConfig } from './config.ts';
import { WorkRefExtractor } from './work-refs.ts';

const rule = z.strictObject({ name: z.string().min(1), pattern: z.string().min(1) });

/** The settings file as it is written. */
export const configSchema = z
  .strictObject({
    workspaceRoots: z.array(z.string().min(1)).optional(),
    workRefRules: z.array(rule).optional(),
    cache: z.boolean().optional(),
  })
  .describe('Settings of the session catalog: ~/.plexusone/omnidevx/config.json');

/**
 * Checks the text of a settings file.
 *
 * @throws OmniDevError CATALOG_CONFIG naming the file and the key
 */
export function checkConfig(file: string, text: string, home: string): CatalogConfig {
  const parsed = configSchema.safeParse(parseJson(file, text));
  if (!parsed.success) throw problem(file, describe(parsed.error.issues[0]));
  const { workspaceRoots = [], workRefRules, cache = true } = parsed.data;
  for (const [index, { name, pattern }] of (workRefRules ?? []).entries()) {
    checkPattern(file, `workRefRules[${index}].pattern`, name, pattern);
  }
  const roots = workspaceRoots.map((root, index) => expandRoot(file, `workspaceRoots[${index}]`, root, home));
  return { workspaceRoots: roots, workRefRules, cache };
}

function parseJson(file: string, text: string): unknown {
  try {
    // An editor's byte order mark is not part of the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw problem(file, `is not valid JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  const at = issue.path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (at === '' ? key : `${at}.${key}`));
    return `unknown key ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
  }
  return at === '' ? issue.message : `${at}: ${issue.message}`;
}

function checkPattern(file: string, key: string, name: string, pattern: string): void {
  try {
    new WorkRefExtractor([{ name, pattern }]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw problem(file, `${key}: rule ${JSON.stringify(name)} is not a valid pattern (${reason})`);
  }
}

function expandRoot(file: string, key: string, root: string, home: string): string {
  if (root === '~' || root.startsWith('~/')) return path.join(home, root.slice(1));
  if (path.isAbsolute(root)) return path.normalize(root);
  throw problem(file, `${key}: ${JSON.stringify(root)} must be absolute, or begin with ~/`);
}

function problem(file: string, what: string): OmniDevError {
  return new OmniDevError('CATALOG_CONFIG', `${file}: ${what}`);
}
