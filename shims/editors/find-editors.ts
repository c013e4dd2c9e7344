import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';
import { type EditorPlace, knownEditors } from './editor-places.ts';

/** The editors that are used here, each settings file once. */
export function findEditors(around: Surroundings): EditorPlace[] {
  const seen = new Set<string>();
  return knownEditors(around).filter(({ sign, settings }) => {
    if (!fs.existsSync(sign) || seen.has(settings)) return false;
    seen.add(settings);
    return true;
  });
}

/** Settings files of an editor's profiles. A window that runs in a profile reads that file in place of the editor's. */
export function profileSettings(editor: EditorPlace): string[] {
  if (editor.profiles === undefined) return [];
  try {
    return fs
      .readdirSync(editor.profiles)
      .map((name) => path.join(editor.profiles ?? '', name, 'settings.json'))
      .filter((file) => fs.existsSync(file))
      .sort();
  } catch {
    return [];
  }
}
