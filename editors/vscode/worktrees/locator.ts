import { type FileHandle, lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { commonDirOf, gitDirOfFile, repositoryName, type Worktree } from './worktree.ts';

/** Longest text of a `.git` or `commondir` file that is read. */
const LONGEST_FILE = 8_192;
/** A directory may become a repository, or stop being one; looking again is a handful of stats. */
const FRESH_MS = 60_000;
const MOST_KNOWN = 2_048;
const MOST_AT_ONCE = 8;

interface Known {
  worktree: Worktree | undefined;
  at: number;
}

/**
 * Finds the worktree of a directory by looking upwards for `.git`. Answers come from memory at once and are looked up
 * in the background: drawing a row never waits for a disk. Runs no git.
 */
export class WorktreeLocator {
  readonly #known = new Map<string, Known>();
  readonly #waiting = new Set<string>();
  readonly #found: () => void;
  readonly #now: () => number;
  #running = 0;

  /** @param found called when an answer differs from what was known before. */
  constructor(found: () => void, now: () => number = Date.now) {
    this.#found = found;
    this.#now = now;
  }

  /** The worktree of a directory as far as it is known yet; undefined outside every repository. */
  of(cwd: string): Worktree | undefined {
    const known = this.#known.get(cwd);
    if (known === undefined || this.#now() - known.at > FRESH_MS) this.#enqueue(cwd);
    return known?.worktree;
  }

  #enqueue(cwd: string): void {
    if (!path.isAbsolute(cwd) || cwd.includes('\0')) return;
    this.#waiting.add(cwd);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) return;
    this.#running += 1;
    try {
      for (let cwd = this.#next(); cwd !== undefined; cwd = this.#next())
        this.#remember(cwd, await locate(cwd));
    } finally {
      this.#running -= 1;
    }
  }

  #next(): string | undefined {
    const [cwd] = this.#waiting;
    if (cwd !== undefined) {
      this.#waiting.delete(cwd);
      // Keeps a directory from being asked for again while its look-up runs.
      this.#known.set(cwd, { worktree: this.#known.get(cwd)?.worktree, at: this.#now() });
    }
    return cwd;
  }

  #remember(cwd: string, worktree: Worktree | undefined): void {
    const before = this.#known.get(cwd)?.worktree;
    this.#known.delete(cwd);
    this.#known.set(cwd, { worktree, at: this.#now() });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
    if (before?.root !== worktree?.root || before?.commonDir !== worktree?.commonDir) this.#found();
  }
}

/** The worktree that contains a directory, or undefined. Unreadable places count as holding no repository. */
export async function locate(cwd: string): Promise<Worktree | undefined> {
  for (let directory = path.resolve(cwd); ; directory = path.dirname(directory)) {
    const worktree = await worktreeAt(directory);
    if (worktree !== undefined) return worktree;
    if (directory === path.dirname(directory)) return undefined;
  }
}

async function worktreeAt(root: string): Promise<Worktree | undefined> {
  const dotGit = path.join(root, '.git');
  try {
    const entry = await lstat(dotGit);
    if (!entry.isFile()) {
      await lstat(path.join(dotGit, 'HEAD'));
      return { root, commonDir: dotGit, repository: repositoryName(dotGit) };
    }
    const gitDir = gitDirOfFile((await readStart(dotGit)) ?? '', root);
    if (gitDir === undefined) return undefined;
    const commonDir = commonDirOf(gitDir, await readStart(path.join(gitDir, 'commondir')));
    return { root, commonDir, repository: repositoryName(commonDir) };
  } catch {
    return undefined;
  }
}

async function readStart(file: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    // Opening a named pipe would wait for its writer.
    if (!(await lstat(file)).isFile()) return undefined;
    handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_FILE), 0, LONGEST_FILE, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
