import type { SessionState } from '../contract/events.ts';
import type { Evidence } from './evidence/evidence.ts';

/** The agents whose sessions are in the catalog, by the catalog's names. */
export const HARNESSES = ['claude-code', 'codex', 'pi'] as const;
export type Harness = (typeof HARNESSES)[number];

/** The wire calls Claude Code `claude`; both names are accepted as input. */
export function parseHarness(word: string): Harness | undefined {
  const lower = word.toLowerCase();
  if (lower === 'claude') return 'claude-code';
  return HARNESSES.find((harness) => harness === lower);
}

/** Where a title came from, best first: a person, the harness, the first prompt. */
export const TITLE_SOURCES = ['custom', 'generated', 'thread-name', 'first-prompt'] as const;
export type TitleSource = (typeof TITLE_SOURCES)[number];

/** `unknown`: neither shown to be running nor free to be resumed. */
export const CATALOG_STATES = ['running', 'resumable', 'unknown'] as const;
export type CatalogState = (typeof CATALOG_STATES)[number];

/** What proves that a session is running. */
export const RUNTIME_SOURCES = ['live-record', 'registry', 'thread-lock', 'process'] as const;
export type RuntimeSource = (typeof RUNTIME_SOURCES)[number];

/** The live process of a session and what proves it. */
export interface Runtime {
  source: RuntimeSource;
  pid?: number;
  /** RFC 3339, UTC. */
  startedAt?: string;
  /** What the session is doing, where the source says. */
  state?: SessionState;
}

/** How to resume a session. Nothing is run by a reader: the caller decides how. */
export interface ResumeSpec {
  /** Program and arguments. */
  command: string[];
  /** Directory to run it in. */
  cwd: string;
  /** Commands to run before it, in the same directory. */
  prepare?: string[][];
  /** Variables to set for it, where the session is not in the harness's default folder. */
  env?: Record<string, string>;
}

/** The session another one's transcript begins with a copy of, or goes on from. */
export interface SessionLinks {
  forkedFrom?: string;
  continues?: string;
  /** Sessions of this catalog that were forked from this one, or go on from it. */
  continuedBy?: string[];
}

/** One session of one harness. Times are RFC 3339, UTC. What is not known is absent. */
export interface Session {
  harness: Harness;
  id: string;
  /** Directory the session started in. */
  cwd?: string;
  createdAt?: string;
  lastActivityAt: string;
  /** When a person last typed a prompt. Without one of the session's own, absent. */
  lastHumanActivityAt?: string;
  title?: string;
  titleSource?: TitleSource;
  /** The latest prompts a person typed, oldest first, cut. */
  recentPrompts: string[];
  state: CatalogState;
  runtime?: Runtime;
  resume?: ResumeSpec;
  /** `github.com/org/repo`, or the name of a repository without a remote. */
  repository?: string;
  gitBranch?: string;
  /** How the session was started, in the harness's words: `cli`, `exec`, `vscode`, ... */
  origin?: string;
  archived?: boolean;
  links?: SessionLinks;
  /** The file that holds the conversation. */
  transcript: string;
  /** What the session touched. Only on request. */
  evidence?: Evidence;
}

/** A session found in a listing, not yet opened. */
export interface Candidate {
  harness: Harness;
  id: string;
  /** The file that holds the conversation, its size in bytes and its last write in ms since 1970. */
  path: string;
  size: number;
  writtenAt: number;
}

/**
 * What was read from a session's own file: everything that stays true while the file is unchanged. Times are ms since
 * 1970. This is what the cache keeps.
 */
export interface SessionRecord {
  cwd?: string | undefined;
  createdAt?: number | undefined;
  lastActivityAt?: number | undefined;
  lastHumanActivityAt?: number | undefined;
  title?: string | undefined;
  titleSource?: TitleSource | undefined;
  recentPrompts: string[];
  /** True when a person ever typed into this conversation, its parent's part included. */
  hasPrompt: boolean;
  gitUrl?: string | undefined;
  gitBranch?: string | undefined;
  origin?: string | undefined;
  forkedFrom?: string | undefined;
  continues?: string | undefined;
}
