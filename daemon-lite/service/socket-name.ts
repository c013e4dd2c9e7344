import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The path that a Unix socket of this process is bound to, as the kernel tells it; Node does not say for a socket it did
 * not bind. Undefined when the descriptor is none, or where there is no `/proc` to read.
 */
export function boundPath(descriptor: number): string | undefined {
  try {
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
    return inode === undefined ? undefined : pathOfInode(readFileSync('/proc/net/unix', 'utf8'), inode);
  } catch {
    return undefined;
  }
}

/** Finds a socket in `/proc/net/unix`: `Num RefCount Protocol Flags Type St Inode Path`, the path to the line's end. */
export function pathOfInode(table: string, inode: string): string | undefined {
  for (const line of table.split('\n')) {
    const [, found, path] = /^\S+ +\S+ +\S+ +\S+ +\S+ +\S+ +(\d+)(?: (.*))?$/.exec(line) ?? [];
    if (found === inode) return path;
  }
  return undefined;
}
