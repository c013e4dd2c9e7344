import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { claudeHome } from '../agents/claude/home.ts';
import { piSessionsFolder } from '../agents/pi/home.ts';
import { FileLocks } from '../agents/system/file-lock.ts';
import { type RunningCommand, runningCommands } from '../agents/system/process-list.ts';
import { type ProcessTable, processTable } from '../agents/system/process-table.ts';
import { resolvePaths, type Surroundings } from '../contract/paths.ts';
import { cacheFile, RecordCache } from './cache.ts';
import { Catalog } from './catalog.ts';
import type { CatalogConfig } from './config.ts';
import { AgentCommands } from './live/agent-commands.ts';
import { ClaudeProcesses } from './live/claude-processes.ts';
import { RegistryWords } from './live/registry.ts';
import { ThreadLocks } from './live/thread-locks.ts';
import { ClaudeReader } from './readers/claude.ts';
import { CodexReader } from './readers/codex.ts';
import { PiReader } from './readers/pi.ts';
import type { SessionReader } from './readers/reader.ts';
import { RepoIndex } from './repo-index.ts';

export interface OpenCatalogOptions {
  around: Surroundings;
  config: CatalogConfig;
  /** Wall clock, ms since 1970. */
  wall(): number;
  /** The daemon's control socket, where it is not the default one. */
  socket?: string | undefined;
  /** Off: Codex is read as on a Node without `node:sqlite`. */
  useDatabase?: boolean | undefined;
}

/** The catalog of this user's sessions, with every reader. Nothing is read until something is asked. */
export async function openCatalog(options: OpenCatalogOptions): Promise<Catalog> {
  const { around, config } = options;
  const table = processTable(around.platform);
  await table.refresh();
  const file = cacheFile(around);
  if (!config.cache) RecordCache.remove(file);
  return new Catalog({
    readers: createReaders(options, table),
    cache: new RecordCache(config.cache ? file : undefined),
    repositories: new RepoIndex(config.workspaceRoots),
    registry: () => RegistryWords.ask(resolvePaths(around, options.socket).socket),
    wall: options.wall,
  });
}

function createReaders(options: OpenCatalogOptions, table: ProcessTable): SessionReader[] {
  const { around } = options;
  let commands: { list: RunningCommand[] | undefined } | undefined;
  const commandsOf = (program: string) => {
    commands ??= { list: runningCommands(around.platform) };
    return new AgentCommands(program, commands.list);
  };
  const home = claudeHome(around);
  const codexHome = codexFolder(around);
  return [
    new ClaudeReader({
      home,
      configDir: around.env.CLAUDE_CONFIG_DIR?.trim() ? home.folder : undefined,
      processes: () =>
        new ClaudeProcesses(home.liveRecords, table, ownPidNamespace(around.platform), options.wall()),
    }),
    new CodexReader({
      codexHome,
      databaseFolder: folderFrom(around.env.CODEX_SQLITE_HOME) ?? codexHome,
      env: variables(around, { CODEX_HOME: codexHome }, 'CODEX_HOME'),
      locks: () => new ThreadLocks(codexHome, new FileLocks(around.platform)),
      commands: () => commandsOf('codex'),
      ...(options.useDatabase === undefined ? {} : { useDatabase: options.useDatabase }),
    }),
    new PiReader({
      folder: piSessionsFolder(around),
      env: variables(around, around.env, 'PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'),
      commands: () => commandsOf('pi'),
    }),
  ];
}

function codexFolder(around: Surroundings): string {
  return folderFrom(around.env.CODEX_HOME) ?? path.join(around.home, '.codex');
}

function folderFrom(variable: string | undefined): string | undefined {
  return variable?.trim() ? path.resolve(variable.trim()) : undefined;
}

/** The variables that are set here and lead to a home other than the default, with the values a resume needs. */
function variables(
  around: Surroundings,
  values: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): Record<string, string> | undefined {
  const set = names.flatMap((name) => {
    const value = values[name]?.trim();
    return around.env[name]?.trim() && value ? [[name, value] as const] : [];
  });
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** `pid:[4026531836]` on Linux; elsewhere processes have one number for everybody. */
function ownPidNamespace(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'linux') return undefined;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
