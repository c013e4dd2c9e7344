import path from 'node:path';

/** The git worktree a directory lies in. */
export interface Worktree {
  /** Its top directory. */
  root: string;
  /** The git directory that all worktrees of the repository share. Tells two repositories of one name apart. */
  commonDir: string;
  /** Name of the repository: what its main worktree's directory is called. */
  repository: string;
}

/** The repository's name by its shared git directory: the parent of `<repo>/.git`, else the name without `.git`. */
export function repositoryName(commonDir: string): string {
  const name = path.basename(commonDir);
  if (name === '.git') return path.basename(path.dirname(commonDir));
  return name.replace(/\.git$/, '');
}

/** The git directory that a `.git` file names, or undefined when the text is none. */
export function gitDirOfFile(text: string, root: string): string | undefined {
  const match = /^gitdir:[ \t]*([^\r\n]+)/.exec(text);
  const target = match?.[1]?.trim();
  return target ? path.resolve(root, target) : undefined;
}

/** The shared git directory, given what a worktree's `commondir` file says (nothing for a repository of its own). */
export function commonDirOf(gitDir: string, commonDirText: string | undefined): string {
  const target = commonDirText?.trim();
  return target ? path.resolve(gitDir, target) : gitDir;
}
