import path from 'node:path';

/** The user's own settings file, in the home folder whatever XDG says. */
export function settingsFile(home: string): string {
  return path.join(home, '.omni-dev', 'settings.json');
}

const TEXT = '("(?:\\\\.|[^"\\\\])*")';
const COMMENTS = new RegExp(`${TEXT}|//[^\\n]*|/\\*[^]*?\\*/`, 'g');
const LAST_COMMAS = new RegExp(`${TEXT}|,(?=\\s*[}\\]])`, 'g');

/**
 * Parses settings as people write them: comments and trailing commas are allowed.
 *
 * @throws SyntaxError when it is no JSON all the same
 */
export function parseSettings(text: string): unknown {
  const kept = (_: string, quoted: string | undefined) => quoted ?? '';
  return JSON.parse(text.replace(COMMENTS, kept).replace(LAST_COMMAS, kept));
}

/** The value of `section.key` in parsed settings, or undefined when it is not there. */
export function settingIn(settings: unknown, section: string, key: string): unknown {
  return valueIn(valueIn(settings, section), key);
}

function valueIn(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined;
  return (object as Record<string, unknown>)[key];
}
