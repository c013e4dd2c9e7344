import type { ConfigEdit } from '../edit/edit-config-file.ts';
import type { JsonText } from '../edit/json-text.ts';

/** The setting that names the program which the Claude extension runs in place of `claude`. */
export const WRAPPER_SETTING = 'claudeCode.claudeProcessWrapper';

/** Points the setting at our shim, whatever it said before. */
export function pointAtShim(text: JsonText, shim: string): void {
  if (text.value([WRAPPER_SETTING]) !== shim) text.setMember([], WRAPPER_SETTING, shim);
}

/** What `clearShim` found. */
export type ClearedSetting = 'cleared' | 'foreign' | 'absent';

/**
 * Removes the setting if it points at our shim. With `earlier`, a value that an installation replaced, that value comes
 * back instead.
 */
export function clearShim(text: JsonText, shim: string, earlier?: string): ClearedSetting {
  const value = text.value([WRAPPER_SETTING]);
  if (value === undefined) return 'absent';
  if (value !== shim) return 'foreign';
  if (earlier === undefined) text.remove([WRAPPER_SETTING]);
  else text.setMember([], WRAPPER_SETTING, earlier);
  return 'cleared';
}

/** The line a user adds where we must not write. */
export function settingLine(shim: string): string {
  return `${JSON.stringify(WRAPPER_SETTING)}: ${JSON.stringify(shim)}`;
}

/** The edit that installs, ready for a settings file. */
export function installEdit(file: string, shim: string): ConfigEdit {
  return {
    file,
    edit: (text) => pointAtShim(text, shim),
    createMissing: true,
    spreadOneLiner: true,
    byHand: `Or add this line to it yourself: ${settingLine(shim)}`,
  };
}
