import type { Source, WindowPayload } from '../../contract/messages.ts';
import { MAX_WINDOWS, WINDOW_TTL_MS } from './limits.ts';

/** One editor window's last report. Times are awake milliseconds. */
export interface WindowReport {
  key: string;
  folders: readonly string[];
  embeds: boolean;
  registeredAt: number;
  lastReportAt: number;
}

function components(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/**
 * How many path components of `folder` cover `cwd`, or -1 when it does not. By whole components, case-sensitive, and
 * without resolving links or `..`: two spellings of one place are two places.
 */
export function coverage(folder: string, cwd: string): number {
  if (folder.startsWith('/') !== cwd.startsWith('/')) return -1;
  const outer = components(folder);
  const inner = components(cwd);
  if (outer.length > inner.length) return -1;
  return outer.every((part, index) => part === inner[index]) ? outer.length : -1;
}

function best(report: WindowReport, cwd: string): number {
  return Math.max(-1, ...report.folders.map((folder) => coverage(folder, cwd)));
}

/**
 * The window a working directory belongs to: most components in the matching folder, then the newest registration,
 * then the lowest key. Windows without a Claude tab or terminal are no candidates.
 */
export function joinWindow(
  reports: Iterable<WindowReport>,
  cwd: string | undefined,
): WindowReport | undefined {
  if (cwd === undefined) return undefined;
  let winner: WindowReport | undefined;
  let winning = -1;
  for (const report of reports) {
    if (!report.embeds) continue;
    const depth = best(report, cwd);
    if (depth < 0) continue;
    if (winner === undefined || depth > winning || (depth === winning && isNewer(report, winner))) {
      winner = report;
      winning = depth;
    }
  }
  return winner;
}

function isNewer(left: WindowReport, right: WindowReport): boolean {
  if (left.registeredAt !== right.registeredAt) return left.registeredAt > right.registeredAt;
  return left.key < right.key;
}

/** The source an entry shows. */
export function sourceOf(window: WindowReport | undefined): Source {
  return window === undefined ? { kind: 'terminal' } : { kind: 'vs_code', window_key: window.key };
}

/** The live window reports, bounded and aged. */
export class WindowReports {
  readonly #reports = new Map<string, WindowReport>();
  readonly #removed: (reason: 'window_ttl' | 'window_cap', key: string) => void;

  constructor(removed: (reason: 'window_ttl' | 'window_cap', key: string) => void) {
    this.#removed = removed;
  }

  get size(): number {
    return this.#reports.size;
  }

  values(): Iterable<WindowReport> {
    return this.#reports.values();
  }

  /** Drops reports older than the TTL; the number of dropped ones. */
  reap(now: number): number {
    let reaped = 0;
    for (const report of this.#reports.values()) {
      if (now - report.lastReportAt <= WINDOW_TTL_MS) continue;
      this.#reports.delete(report.key);
      this.#removed('window_ttl', report.key);
      reaped += 1;
    }
    return reaped;
  }

  /** Takes one report. True when it can change a source: a new key, other folders, embedding gained or lost. */
  report(payload: WindowPayload, now: number): boolean {
    const known = this.#reports.get(payload.key);
    if (known === undefined) this.#makeRoom();
    const embeds = payload.tabs + payload.terminals > 0;
    this.#reports.set(payload.key, {
      key: payload.key,
      folders: [...payload.folders],
      embeds,
      registeredAt: known?.registeredAt ?? now,
      lastReportAt: now,
    });
    return known === undefined || known.embeds !== embeds || !sameFolders(known.folders, payload.folders);
  }

  unregister(key: string): boolean {
    return this.#reports.delete(key);
  }

  #makeRoom(): void {
    if (this.#reports.size < MAX_WINDOWS) return;
    let silent: WindowReport | undefined;
    for (const report of this.#reports.values()) {
      if (silent === undefined || isMoreSilent(report, silent)) silent = report;
    }
    if (silent === undefined) return;
    this.#reports.delete(silent.key);
    this.#removed('window_cap', silent.key);
  }
}

function isMoreSilent(left: WindowReport, right: WindowReport): boolean {
  if (left.lastReportAt !== right.lastReportAt) return left.lastReportAt < right.lastReportAt;
  return left.key < right.key;
}

function sameFolders(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((folder, index) => folder === right[index]);
}
