import type { DaemonStatus } from '../../daemon-lite/service/status.ts';
import { type Finding, ok, warning } from './finding.ts';

const CHECK = 'codex-observer';

/** Judges the observer on each shared Codex server, by what the daemon says of it. */
export function observerFindings(status: DaemonStatus | { failed: string }): Finding[] {
  if ('failed' in status || !status.running) return [];
  const homes = status.services.flatMap(({ detail }) => Object.entries(fieldsOf(fieldsOf(detail).codex)));
  return homes.flatMap(([home, facts]) => observerFinding(home, fieldsOf(facts).shared_server));
}

function observerFinding(home: string, server: unknown): Finding[] {
  const { attached, sessions, problem } = fieldsOf(server);
  if (typeof problem === 'string') {
    const fix = 'remove what is there, or start codex anew as yourself';
    return [warning(CHECK, `the socket of Codex's server in ${home} is not used: ${problem}`, fix)];
  }
  if (attached !== true) return [];
  return [ok(CHECK, `reads the server that codex shares in ${home} (${Number(sessions)} session(s))`)];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
