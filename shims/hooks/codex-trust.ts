import { createHash } from 'node:crypto';
import { parse } from 'smol-toml';
import { JsonText } from '../edit/json-text.ts';
import { effectiveTimeout, snakeCase, takesMatcher } from './codex-events.ts';
import { entryPath, groupPath, type SinkEntry, sinkEntries } from './hook-entries.ts';

/** Whether Codex runs a hook: it skips every other kind in silence. */
export type HookTrust = 'trusted' | 'untrusted' | 'modified' | 'disabled';

/** What Codex makes of one of our hooks. */
export interface HookTrustStatus {
  event: string;
  /** Key of its state in `config.toml`. */
  key: string;
  trust: HookTrust;
}

/** The parts of an entry that Codex hashes. */
export interface HashedHook {
  event: string;
  matcher?: string;
  command: string;
  /** Seconds, as written. */
  timeout?: number;
  isAsync?: boolean;
  statusMessage?: string;
}

/**
 * The hash that Codex keeps of a hook it was told to trust: SHA-256 over the entry as compact JSON with sorted keys,
 * timeouts as they take effect (measured on 0.171.0).
 */
export function codexHookHash(hook: HashedHook): string {
  const { event, matcher, command, timeout, isAsync = false, statusMessage } = hook;
  const entry = {
    async: isAsync,
    command,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    timeout: effectiveTimeout(event, timeout),
    type: 'command',
  };
  const identity = {
    event_name: snakeCase(event),
    hooks: [entry],
    ...(matcher === undefined || !takesMatcher(event) ? {} : { matcher }),
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

/**
 * Tells for each of our hooks in a `hooks.json` whether Codex runs it. Pure.
 *
 * @param hooksFiles the names Codex may know the file by: with the home's links followed, and the real file.
 * @param configToml text of `config.toml` beside it, or undefined when there is none.
 * @throws JsonTextProblem or TomlError when one of the texts cannot be read.
 */
export function codexHookTrust(
  hooksJson: string,
  hooksFiles: readonly string[],
  configToml: string | undefined,
): HookTrustStatus[] {
  const text = new JsonText(hooksJson);
  const states = statesOf(configToml === undefined ? {} : parse(configToml));
  return sinkEntries(text).map((entry) => {
    const keys = hooksFiles.map((file) => keyOf(file, entry));
    const key = keys.find((candidate) => states.has(candidate)) ?? keys[0] ?? '';
    return {
      event: entry.event,
      key,
      trust: trustOf(states.get(key), codexHookHash(hashedHook(text, entry))),
    };
  });
}

function keyOf(hooksFile: string, { event, group, position }: SinkEntry): string {
  return `${hooksFile}:${snakeCase(event)}:${group}:${position}`;
}

function trustOf(state: unknown, hash: string): HookTrust {
  const fields = membersOf(state);
  if (fields.get('enabled') === false) return 'disabled';
  const trusted = fields.get('trusted_hash');
  if (trusted === undefined) return 'untrusted';
  return trusted === hash ? 'trusted' : 'modified';
}

/** `hooks.state` of a parsed `config.toml`. */
function statesOf(config: unknown): Map<string, unknown> {
  return membersOf(membersOf(membersOf(config).get('hooks')).get('state'));
}

function hashedHook(text: JsonText, entry: SinkEntry): HashedHook {
  const fields = membersOf(text.value(entryPath(entry)));
  const matcher = membersOf(text.value(groupPath(entry))).get('matcher');
  const timeout = fields.get('timeout');
  const statusMessage = fields.get('statusMessage');
  return {
    event: entry.event,
    command: entry.command,
    isAsync: fields.get('async') === true,
    ...(typeof matcher === 'string' ? { matcher } : {}),
    ...(typeof timeout === 'number' ? { timeout } : {}),
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
  };
}

function membersOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
