import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Everything below a folder: kind, permissions and bytes of each entry by its path, so that two states can be compared. */
export function folderSnapshot(root: string): Record<string, string> {
  const snapshot: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(root, name);
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) snapshot[name] = `link to ${readlinkSync(file)}`;
    else if (stat.isDirectory()) snapshot[name] = `folder ${mode}`;
    else snapshot[name] = `file ${mode} ${readFileSync(file, 'base64')}`;
  }
  return snapshot;
}
