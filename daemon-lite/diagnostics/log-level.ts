import { systemErrorCode } from '../../contract/errors.ts';
import type { Surroundings } from '../../contract/paths.ts';
import { readRegularFile } from '../../contract/regular-file.ts';
import { parseSettings, settingIn, settingsFile } from '../../contract/settings-file.ts';
import { DEFAULT_FILTER } from './log-filter.ts';

/** The filter to use and where it comes from; `problem` says why the settings file was passed over. */
export interface LogLevelChoice {
  filter: string;
  origin: 'OMNI_DEV_LOG' | 'RUST_LOG' | 'settings' | 'default';
  problem?: string;
}

/**
 * Chooses the log filter: `OMNI_DEV_LOG`, then `RUST_LOG`, then `daemon.log_level` of the settings file, then `info`.
 * Blank values count as unset. A settings file that cannot be read or parsed changes nothing but is named.
 */
export function chooseLogLevel(around: Surroundings): LogLevelChoice {
  for (const name of ['OMNI_DEV_LOG', 'RUST_LOG'] as const) {
    const value = around.env[name];
    if (value !== undefined && value.trim() !== '') return { filter: value, origin: name };
  }
  const file = settingsFile(around.home);
  try {
    const level = logLevelIn(parseSettings(readRegularFile(file)));
    return level === undefined ? fallback() : { filter: level, origin: 'settings' };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return fallback();
    const reason = systemErrorCode(error) ?? 'it is not valid JSON';
    return { ...fallback(), problem: `${file} was not read: ${reason}` };
  }
}

function fallback(): LogLevelChoice {
  return { filter: DEFAULT_FILTER, origin: 'default' };
}

function logLevelIn(settings: unknown): string | undefined {
  const level = settingIn(settings, 'daemon', 'log_level');
  return typeof level === 'string' && level.trim() !== '' ? level : undefined;
}
