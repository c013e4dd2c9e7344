/** No directory has a longer path (PATH_MAX): a longer text is no path, and is not worth a walk. */
const LONGEST_PATH = 4096;

/** Without its trailing slashes; the root becomes the empty text. */
function withoutTrailingSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * Finds the worktree that contains a directory: the longest of the given paths that equals it or is an ancestor by
 * whole path components. Paths are compared as text: no symlink is resolved, no `..` folded.
 */
export class WorktreePaths {
  readonly #byPath = new Map<string, string>();

  /** @param paths worktree roots; a trailing slash does not matter for the match and stays in the result. */
  constructor(paths: readonly string[]) {
    for (const path of paths) {
      const key = withoutTrailingSlash(path);
      if (!this.#byPath.has(key)) this.#byPath.set(key, path);
    }
  }

  /** The worktree path of a directory, as it was given, or undefined outside all of them. */
  containing(cwd: string | undefined): string | undefined {
    if (cwd === undefined || cwd === '' || cwd.length > LONGEST_PATH) return undefined;
    let candidate = withoutTrailingSlash(cwd);
    for (;;) {
      const found = this.#byPath.get(candidate);
      if (found !== undefined) return found;
      const slash = candidate.lastIndexOf('/');
      if (slash === -1) return undefined;
      candidate = candidate.slice(0, slash);
    }
  }
}
