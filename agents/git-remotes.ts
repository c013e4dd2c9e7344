import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A repository's configuration is some kilobytes; a larger file is not read. */
const CONFIG_LIMIT_BYTES = 1_048_576;

/**
 * The id of a repository by its remote: `github.com/org/repo`, the same for its https, ssh and scp-style addresses. A
 * user name or password in the address is left out.
 *
 * @returns undefined for a path on this machine and for what is no address
 */
export function normalizeRemote(address: string): string | undefined {
  const trimmed = address.trim();
  const parts = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? urlParts(trimmed) : scpParts(trimmed);
  if (parts === undefined) return undefined;
  const folder = parts.folder
    .replace(/^[/~]+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/{2,}/g, '/');
  if (folder === '' || /[\s\0]/.test(folder) || folder.split('/').includes('..')) return undefined;
  return `${parts.host.toLowerCase()}/${folder}`;
}

interface RemoteParts {
  host: string;
  folder: string;
}

function urlParts(address: string): RemoteParts | undefined {
  try {
    const { protocol, hostname, pathname } = new URL(address);
    if (protocol === 'file:' || hostname === '') return undefined;
    return { host: hostname, folder: decodeURIComponent(pathname) };
  } catch {
    return undefined;
  }
}

/** `user@host:path`. One letter before the colon is a drive; a slash before it makes the whole a path. */
function scpParts(address: string): RemoteParts | undefined {
  const match = /^(?:[^@/:\s]+@)?(\[[0-9a-f:]+\]|[^@/:\s]{2,}):(?!\/\/)(.+)$/i.exec(address);
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { host: match[1], folder: match[2] };
}

/**
 * The address of the remote `origin` in the text of a git configuration, or undefined. Follows git's own rules for
 * sections, quotes, comments and continued lines; included files are not read.
 */
export function originAddress(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section !== null) {
      isOrigin = isOriginSection(section[1] ?? '', section[2]);
      continue;
    }
    const url = isOrigin ? /^\s*url\s*=\s*(.*)$/i.exec(line)?.[1] : undefined;
    const value = url === undefined ? '' : configValue(url);
    if (value !== '') return value;
  }
  return undefined;
}

function isOriginSection(name: string, subsection: string | undefined): boolean {
  const lower = name.toLowerCase();
  return (lower === 'remote' && subsection === 'origin') || lower === 'remote.origin';
}

/** A value without its quotes and without a comment that follows it. */
function configValue(raw: string): string {
  let value = '';
  let quoted = false;
  for (let index = 0; index < raw.length; index++) {
    const character = raw[index];
    if (character === '"') quoted = !quoted;
    else if (character === '\\') value += raw[++index] ?? '';
    else if (!quoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}

/**
 * The id of the repository whose shared git directory this is, read from its configuration. Nothing is run.
 *
 * @param commonDir as in `GitRepository`
 * @returns undefined without a readable configuration, or without an origin that has an id
 */
export async function readRepositoryId(commonDir: string): Promise<string | undefined> {
  try {
    const file = path.join(commonDir, 'config');
    const found = await stat(file);
    if (!found.isFile() || found.size > CONFIG_LIMIT_BYTES) return undefined;
    const address = originAddress(await readFile(file, 'utf8'));
    return address === undefined ? undefined : normalizeRemote(address);
  } catch {
    return undefined;
  }
}

/** A remote's address without user and password, for whatever keeps it. Addresses of another form stay as they are. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
