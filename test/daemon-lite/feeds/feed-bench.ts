import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { processTable } from '../../../agents/system/process-table.ts';
import { Log } from '../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../daemon-lite/diagnostics/log-filter.ts';
import { ClaudeRecords } from '../../../daemon-lite/feeds/claude-records.ts';
import { Journals } from '../../../daemon-lite/feeds/journals.ts';
import { processView } from '../../../daemon-lite/feeds/process-view.ts';
import { Transcripts } from '../../../daemon-lite/feeds/transcripts.ts';
import { SessionRegistry } from '../../../daemon-lite/registry/registry.ts';
import { Ingest } from '../../../daemon-lite/server/ingest.ts';

/** A folder of its own, a registry with the machine's processes, and the feeds on top; everything is closed at the end. */
export class FeedBench {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'feeds-'));
  readonly clock = { wall: () => Date.now() + this.wallOffset, awake: () => performance.now() };
  readonly table = processTable(process.platform);
  readonly registry: SessionRegistry;
  readonly ingest: Ingest;
  readonly warnings: string[] = [];
  wallOffset = 0;
  readonly #log = new Log(parseLogFilter('warn'), (line) => this.warnings.push(line));
  readonly #closers: (() => unknown)[] = [];

  constructor() {
    this.registry = new SessionRegistry({ clock: this.clock, processes: processView(this.table) });
    this.ingest = new Ingest(this.registry, { nameFor: () => undefined });
  }

  records(folder = path.join(this.folder, 'sessions'), pidNamespace?: string): ClaudeRecords {
    const feed = new ClaudeRecords({ ...this.#common(), folder, pidNamespace });
    this.#closers.push(() => feed.stop());
    return feed;
  }

  transcripts(root = path.join(this.folder, 'projects')): Transcripts {
    const feed = new Transcripts({ ...this.#common(), root });
    this.#closers.push(() => feed.stop());
    return feed;
  }

  /** @param bootedAt when the machine started, in wall milliseconds. */
  journals(bootedAt = 0): Journals {
    const journalsDir = path.join(this.folder, 'journals');
    const feed = new Journals({
      ...this.#common(),
      journalsDir,
      pidNamespace: undefined,
      bootedAt: () => bootedAt,
    });
    this.#closers.push(() => feed.stop());
    return feed;
  }

  /** A process that stands for an agent. */
  agent(): { pid: number; start: string; kill: () => void } {
    const child = spawn('sleep', ['120'], { stdio: 'ignore' });
    this.#closers.push(() => child.kill('SIGKILL'));
    const pid = child.pid ?? 0;
    return { pid, start: this.table.read(pid)?.token ?? '', kill: () => child.kill('SIGKILL') };
  }

  write(file: string, content: string): string {
    const whole = path.join(this.folder, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  }

  state(id: string): string | undefined {
    return this.registry.list().find((entry) => entry.session_id === id)?.state;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #common() {
    const { ingest, registry, clock, table } = this;
    return {
      ingest,
      registry,
      clock,
      table,
      uid: process.getuid?.() ?? 0,
      log: this.#log.target('omni_dev::sessions'),
    };
  }
}
