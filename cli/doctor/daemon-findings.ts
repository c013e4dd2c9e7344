import { IMPLEMENTATION } from '../../contract/version.ts';
import type { DaemonRecord } from '../../daemon-lite/service/discovery.ts';
import type { BuildIdentity, DaemonStatus } from '../../daemon-lite/service/status.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export interface DaemonFacts {
  /** What `status` gave, or why it gave nothing. */
  status: DaemonStatus | { failed: string };
  /** The warning about another build, if there is one. */
  skew: string | undefined;
  /** Every daemon of this user that recorded itself and lives. */
  records: readonly DaemonRecord[];
  socket: string;
  own: BuildIdentity;
}

/** Judges the daemon on the socket, and looks for others. */
export function daemonFindings(facts: DaemonFacts): Finding[] {
  return [...runningFindings(facts), ...strayFindings(facts), ...wordFindings(facts.status)];
}

function runningFindings({ status, skew, own }: DaemonFacts): Finding[] {
  const check = 'daemon';
  if ('failed' in status) return [problem(check, status.failed, 'omni-dev daemon restart')];
  if (!status.running) {
    return [ok(check, 'not running; commands and wrappers start it when they need it')];
  }
  const version = `v${status.version ?? 'unknown'}`;
  if (status.implementation !== IMPLEMENTATION) {
    const fix = 'stop it, then: omni-dev daemon start';
    return [warning(check, `another omni-dev (${version}) serves this socket; it is used as it is`, fix)];
  }
  const build =
    skew === undefined ? ok(check, `running, ${version}, pid ${status.pid ?? 'unknown'}`) : undefined;
  const skewed = warning(
    check,
    `running, ${[version, status.commit].filter(Boolean).join(' ')}, but this program is ` +
      [`v${own.version}`, own.commit].filter(Boolean).join(' '),
    'omni-dev daemon restart',
  );
  const unhealthy = status.services
    .filter(({ healthy }) => !healthy)
    .map(({ name, summary }) => problem(check, `service ${name}: ${summary}`, 'omni-dev daemon logs'));
  return [build ?? skewed, ...unhealthy];
}

/** A daemon on another socket was started under other variables: two halves of one truth. */
function strayFindings({ records, socket }: DaemonFacts): Finding[] {
  return records
    .filter((record) => record.socket !== socket)
    .map((record) =>
      warning(
        'stray-daemon',
        `another daemon of yours runs on ${record.socket} (pid ${record.pid}, v${record.version})`,
        `omni-dev daemon stop --socket '${record.socket}', unless it is meant to run there`,
      ),
    );
}

/** Words that an agent's update brought and that nobody here knows: they changed no state. */
function wordFindings(status: DaemonFacts['status']): Finding[] {
  if ('failed' in status || !status.running) return [];
  const words = new Map<string, number>();
  for (const { detail } of status.services) collectWords(detail, words, 0);
  if (words.size === 0) return [ok('unknown-words', 'none: the agents said nothing that is not known')];
  const list = [...words].map(([word, count]) => `${word} (${count})`).join(', ');
  return [
    warning(
      'unknown-words',
      `not understood and ignored: ${list}`,
      'update omni-dev; an agent speaks a newer language',
    ),
  ];
}

const DEEPEST = 8;
const UNNAMED = 'states of Codex';

/** Adds up every `unknown_words` in a status detail: each feed counts its own. */
function collectWords(value: unknown, words: Map<string, number>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'unknown_words') addCounts(inner, words);
    else collectWords(inner, words, depth + 1);
  }
}

/** Counts by word, or, where the words are not kept, one number. */
function addCounts(counts: unknown, words: Map<string, number>): void {
  if (typeof counts === 'number' && counts > 0) words.set(UNNAMED, (words.get(UNNAMED) ?? 0) + counts);
  if (typeof counts !== 'object' || counts === null) return;
  for (const [word, count] of Object.entries(counts)) {
    if (typeof count === 'number' && count > 0) words.set(word, (words.get(word) ?? 0) + count);
  }
}
