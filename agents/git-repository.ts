import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where a repository keeps its data. */
export interface GitRepository {
  /** Git directory of this checkout: `<repo>/.git`, or `<repo>/.git/worktrees/<name>` of a linked worktree. */
  gitDir: string;
  /** Git directory that every checkout of the repository shares: config, remotes, branches. */
  commonDir: string;
  /** Top folder of this checkout; absent in a bare repository and inside a git directory. */
  workTree?: string;
}

/** The files that point elsewhere hold one path; a longer one is not git's. */
const POINTER_LIMIT_BYTES = 8_192;

/** More folders above a cwd than any real path has: a bound against hostile paths. */
const MOST_LEVELS = 256;

/**
 * Finds the repository that `cwd` lies in, upwards from its real path, without starting git. Follows `.git` files
 * (linked worktrees, submodules) and recognises bare repositories and the inside of a git directory.
 *
 * @returns undefined when there is none, or when `cwd` is not an absolute path of an existing folder.
 */
export async function findGitRepository(cwd: string): Promise<GitRepository | undefined> {
  if (!path.isAbsolute(cwd)) return undefined;
  let folder = await realpath(cwd).catch(() => undefined);
  for (let level = 0; folder !== undefined && level < MOST_LEVELS; level++) {
    const found = await repositoryAt(folder);
    if (found !== undefined) return found;
    const parent = path.dirname(folder);
    folder = parent === folder ? undefined : parent;
  }
  return undefined;
}

/**
 * The name of a repository: of the folder that holds `.git`, else of the git directory without `.git`. Every linked
 * worktree so carries the name of its main repository.
 */
export function repositoryName(repository: GitRepository): string {
  const last = path.basename(repository.commonDir);
  if (last === '.git') return path.basename(path.dirname(repository.commonDir));
  return last.endsWith('.git') ? last.slice(0, -'.git'.length) : last;
}

async function repositoryAt(folder: string): Promise<GitRepository | undefined> {
  const dotGit = path.join(folder, '.git');
  const gitDir = await gitDirBehind(dotGit, folder);
  if (gitDir !== undefined) return { gitDir, commonDir: await commonDirOf(gitDir), workTree: folder };
  if (await isGitDir(folder)) return { gitDir: folder, commonDir: await commonDirOf(folder) };
  return undefined;
}

/** The git directory that a `.git` entry is (a folder) or names (a file). */
async function gitDirBehind(dotGit: string, folder: string): Promise<string | undefined> {
  const kind = await kindOf(dotGit);
  if (kind === 'folder') return (await isGitDir(dotGit)) ? dotGit : undefined;
  if (kind !== 'file') return undefined;
  const text = await readPointer(dotGit);
  if (text === undefined || !text.startsWith('gitdir:')) return undefined;
  const target = path.resolve(folder, text.slice('gitdir:'.length).trim());
  return (await isGitDir(target)) ? target : undefined;
}

/** True for a folder with HEAD and either its own objects and refs or a pointer to the shared ones. */
async function isGitDir(folder: string): Promise<boolean> {
  if ((await kindOf(path.join(folder, 'HEAD'))) !== 'file') return false;
  if ((await kindOf(path.join(folder, 'commondir'))) === 'file') return true;
  return (
    (await kindOf(path.join(folder, 'objects'))) === 'folder' &&
    (await kindOf(path.join(folder, 'refs'))) === 'folder'
  );
}

async function commonDirOf(gitDir: string): Promise<string> {
  const pointer = await readPointer(path.join(gitDir, 'commondir'));
  const shared = pointer === undefined ? gitDir : path.resolve(gitDir, pointer);
  return realpath(shared).catch(() => shared);
}

async function kindOf(file: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'folder' : undefined;
}

/** First line of a small regular file, trimmed; undefined when it cannot be read, is empty or too long. */
async function readPointer(file: string): Promise<string | undefined> {
  if ((await kindOf(file)) !== 'file') return undefined;
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(POINTER_LIMIT_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead === buffer.length) return undefined;
    const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]?.trim();
    return line === '' || line?.includes('\0') ? undefined : line;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
