import { readRegularFile } from '../../contract/regular-file.ts';
import { parseSettings, settingIn, settingsFile } from '../../contract/settings-file.ts';

/**
 * Whether to stand between the user's terminal and the program: as the command line says, else as `wrappers.pty` of the
 * settings file does, else not. To be asked only where both ends are a terminal: a pipe has no time for files.
 */
export function wantsPty(asked: boolean | undefined, home: string): boolean {
  if (asked !== undefined) return asked;
  try {
    return settingIn(parseSettings(readRegularFile(settingsFile(home))), 'wrappers', 'pty') === true;
  } catch {
    // Not there, or nothing that can be read: then it says nothing.
    return false;
  }
}
