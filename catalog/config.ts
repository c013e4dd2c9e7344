import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../contract/errors.ts';
import type { Surroundings } from '../contract/paths.ts';
import { readRegularFile } from '../contract/regular-file.ts';
import type { WorkRefRule } from './work-refs.ts';

/** The catalog's settings. */
export interface CatalogConfig {
  /** Absolute directories that hold repositories. */
  workspaceRoots: string[];
  /** Undefined: the default rules. */
  workRefRules: WorkRefRule[] | undefined;
  /** False: titles and prompts are not kept between runs. */
  cache: boolean;
}

/** `~/.plexusone/omnidevx/config.json`. */
export function configFile(around: Surroundings): string {
  return path.join(around.home, '.plexusone', 'omnidevx', 'config.json');
}

/**
 * Reads the settings. Every one is optional, and a missing file gives the defaults.
 *
 * @throws OmniDevError CATALOG_CONFIG when the file cannot be read, is not JSON, has an unknown key or a wrong value; the
 *   message names the file and the key
 */
export async function loadConfig(around: Surroundings): Promise<CatalogConfig> {
  const file = configFile(around);
  const text = readIfThere(file);
  if (text === undefined) return { workspaceRoots: [], workRefRules: undefined, cache: true };
  // Most users have no such file: what checks one is loaded only then.
  const { checkConfig } = await import('./config-check.ts');
  return checkConfig(file, text, around.home);
}

function readIfThere(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new OmniDevError('CATALOG_CONFIG', `${file}: cannot be read (${code ?? String(error)})`);
  }
}
