import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readRepositoryId } from '../agents/git-remotes.ts';
import { findGitRepository, repositoryName } from '../agents/git-repository.ts';

/** A repository on this machine. */
export interface Repository {
  /** Top folder of the checkout. */
  folder: string;
  /** Folder's name of the main checkout, so that every worktree has the same. */
  name: string;
  /** `github.com/org/repo`, from the remote `origin`; absent without one. */
  id?: string;
}

/** How deep below a root repositories are looked for, and how many folders at most. */
const SCAN_DEPTH = 5;
const SCAN_LIMIT = 20_000;

/** Folders that hold other people's code, or none. */
const SKIPPED = new Set(['node_modules', 'vendor']);

/**
 * Maps a path to the repository that holds it. The workspace roots are scanned once, to a bounded depth; a path resolves
 * to the deepest known repository. Outside every root, `.git` is searched upwards and the answer remembered. Linked
 * worktrees and submodules are followed; git is never run.
 */
export class RepoIndex {
  readonly #roots: readonly string[];
  readonly #byFolder = new Map<string, Promise<Repository | undefined>>();
  readonly #byPath = new Map<string, Promise<Repository | undefined>>();
  #known: Promise<ReadonlySet<string>> | undefined;

  /** @param roots absolute directories that hold repositories */
  constructor(roots: readonly string[] = []) {
    this.#roots = roots.map((root) => path.resolve(root));
  }

  /** The repository that holds an absolute path, whether or not the path still exists; undefined outside of any. */
  resolve(file: string): Promise<Repository | undefined> {
    if (!path.isAbsolute(file)) return Promise.resolve(undefined);
    const folder = path.resolve(file);
    let answer = this.#byPath.get(folder);
    if (answer === undefined) {
      answer = this.#resolve(folder);
      this.#byPath.set(folder, answer);
    }
    return answer;
  }

  /** Every repository found below the roots. */
  async repositories(): Promise<Repository[]> {
    const found = await Promise.all([...(await this.#scanned())].map((folder) => this.#repositoryAt(folder)));
    return found.filter((repository) => repository !== undefined);
  }

  async #resolve(file: string): Promise<Repository | undefined> {
    const root = this.#roots.find((candidate) => isWithin(file, candidate));
    if (root !== undefined) {
      const known = await this.#scanned();
      for (let folder = file; isWithin(folder, root); folder = path.dirname(folder)) {
        if (known.has(folder)) return this.#repositoryAt(folder);
        if (folder === path.dirname(folder)) break;
      }
    }
    return this.#searchUpwards(file);
  }

  /** Also for what lies deeper below a root than the scan went. */
  async #searchUpwards(file: string): Promise<Repository | undefined> {
    const folder = await nearestFolder(file);
    return folder === undefined ? undefined : this.#repositoryAt(folder);
  }

  #repositoryAt(folder: string): Promise<Repository | undefined> {
    let answer = this.#byFolder.get(folder);
    if (answer === undefined) {
      answer = describe(folder);
      this.#byFolder.set(folder, answer);
    }
    return answer;
  }

  #scanned(): Promise<ReadonlySet<string>> {
    this.#known ??= scan(this.#roots);
    return this.#known;
  }
}

async function describe(folder: string): Promise<Repository | undefined> {
  const found = await findGitRepository(folder);
  if (found === undefined) return undefined;
  const id = await readRepositoryId(found.commonDir);
  return {
    folder: found.workTree ?? found.gitDir,
    name: repositoryName(found),
    ...(id === undefined ? {} : { id }),
  };
}

/** The folders below the roots that hold a `.git`. Links are not followed, so no loop can trap the scan. */
async function scan(roots: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let level = roots.map((folder) => ({ folder, depth: 0 }));
  let visited = 0;
  while (level.length > 0 && visited < SCAN_LIMIT) {
    const next: typeof level = [];
    for (const { folder, depth } of level) {
      visited++;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      if (entries.some((entry) => entry.name === '.git')) found.add(folder);
      if (depth >= SCAN_DEPTH) continue;
      for (const entry of entries) {
        if (!entry.isDirectory() || entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
        next.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
      }
    }
    level = next;
  }
  return found;
}

/** The path itself when it is a folder, else the closest one above it that exists. */
async function nearestFolder(file: string): Promise<string | undefined> {
  for (let folder = file; ; folder = path.dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
