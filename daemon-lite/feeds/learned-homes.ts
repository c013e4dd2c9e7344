import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { readRegularFile } from '../../contract/regular-file.ts';

const MAX_HOMES = 16;

export type HomeKind = 'claude' | 'codex';

/**
 * The agents' configuration folders that sightings have named: a second CLAUDE_CONFIG_DIR or CODEX_HOME is in nobody's
 * environment but the agent's own. Remembered across restarts in one small file; losing it loses nothing.
 */
export class LearnedHomes {
  readonly #file: string;
  readonly #homes: Record<HomeKind, string[]>;

  constructor(file: string) {
    this.#file = file;
    this.#homes = read(file);
  }

  all(kind: HomeKind): readonly string[] {
    return this.#homes[kind];
  }

  /** Remembers a folder; true when it is new. */
  learn(kind: HomeKind, folder: string): boolean {
    const known = this.#homes[kind];
    if (known.includes(folder) || known.length >= MAX_HOMES) return false;
    known.push(folder);
    writeFileAtomic(this.#file, `${JSON.stringify(this.#homes)}\n`, { mode: 0o600 }, () => {});
    return true;
  }
}

function read(file: string): Record<HomeKind, string[]> {
  try {
    const value: unknown = JSON.parse(readRegularFile(file));
    return { claude: foldersIn(value, 'claude'), codex: foldersIn(value, 'codex') };
  } catch {
    // Missing or damaged: it is made anew.
    return { claude: [], codex: [] };
  }
}

function foldersIn(value: unknown, kind: HomeKind): string[] {
  const folders: unknown = Object(value)[kind];
  if (!Array.isArray(folders)) return [];
  return folders.filter((folder) => typeof folder === 'string').slice(0, MAX_HOMES);
}

/** The Claude configuration folder of `<folder>/projects/<project>/<id>.jsonl`, or undefined for another shape. */
export function claudeHomeOfTranscript(file: string): string | undefined {
  const projects = path.dirname(path.dirname(file));
  return path.isAbsolute(file) && path.basename(projects) === 'projects' ? path.dirname(projects) : undefined;
}

/** The Codex home of `<home>/sessions/YYYY/MM/DD/rollout-….jsonl`, or undefined for another shape. */
export function codexHomeOfRollout(file: string): string | undefined {
  const found = /^(\/.*)\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[^/]+$/.exec(file);
  return found?.[1];
}
