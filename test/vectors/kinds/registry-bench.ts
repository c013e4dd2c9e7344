import { expect } from 'vitest';
import type { Agent } from '../../../contract/events.ts';
import type { ObservePayload, SessionEntry, Stamp, WindowPayload } from '../../../contract/messages.ts';
import { readJournalLine } from '../../../daemon-lite/feeds/journal-lines.ts';
import { careForJournal } from '../../../daemon-lite/registry/journal-housekeeping.ts';
import {
  inOrder,
  type JournalRecord,
  judgeJournal,
  replay,
} from '../../../daemon-lite/registry/journal-replay.ts';
import { SessionRegistry } from '../../../daemon-lite/registry/registry.ts';
import { type Checked, readEnd, readObserve, readWindow } from '../../../daemon-lite/server/payloads.ts';
import { claudePid, mapClaudeHook } from '../../../sink/claude-mapping.ts';
import { readHookPayload } from '../../../sink/hook-payload.ts';
import { JOURNAL_LIMIT_BYTES, journalLine, journalPath } from '../../../sink/journal-record.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { withoutAdditive } from '../compare.ts';

const START = Date.parse('2026-10-03T00:00:00Z');

/** One step of a registry case; the schema in the vector file says what stands in which. */
export interface Step {
  op: string;
  at?: number;
  bump?: boolean;
  reply?: Record<string, unknown>;
  payload?: Record<string, unknown>;
  expect?: unknown;
  [key: string]: unknown;
}

type ExpectedEntry = Record<string, unknown> & { absent?: string[] };

/** Runs the steps of one case on a fresh registry with a clock of its own. */
export class RegistryBench {
  readonly #clock = new FakeClock(START);
  readonly #registry = new SessionRegistry({ clock: this.#clock });
  #bumps = 0;

  constructor() {
    this.#registry.onChange(() => {
      this.#bumps += 1;
    });
  }

  run(step: Step): void {
    if (typeof step.at === 'number') this.#clock.advance(step.at * 1000 - this.#clock.awake());
    const bumps = this.#bumps;
    const run = this.#steps[step.op];
    if (run === undefined) throw new Error(`no runner for the step ${step.op}`);
    run(step);
    if (step.bump !== undefined) expect(this.#bumps > bumps, 'bump').toBe(step.bump);
  }

  readonly #steps: Record<string, (step: Step) => void> = {
    observe: (step) => {
      this.#registry.observe(checked(readObserve(step.payload)));
      if (step.reply !== undefined) expect({ ok: true }).toEqual(step.reply);
    },
    end: (step) => {
      const payload = readEnd(step.payload);
      if (payload === undefined) throw new Error('the case has an end without a session');
      const { ended } = this.#registry.end(payload);
      if (step.reply !== undefined) expect({ ended }).toEqual(step.reply);
    },
    window: (step) => {
      this.#registry.window(checked(readWindow(step.payload)));
      if (step.reply !== undefined) expect({ ok: true }).toEqual(step.reply);
    },
    'window-unregister': (step) => {
      const removed = this.#registry.unregisterWindow(String(step.payload?.key));
      if (step.reply !== undefined) expect({ removed }).toEqual(step.reply);
    },
    list: (step) => this.#expectList(step.expect as ExpectedEntry[]),
    hook: (step) => this.#hook(step),
    journal: (step) => replay(this.#registry, recordsOf([step.record])),
    journal_first_sight: (step) => this.#firstSight(step),
    journal_path: (step) => {
      const file = journalPath(step.agent as Agent, String(step.session_id));
      expect(file === undefined ? null : `sessions/${file}`).toEqual(step.expect);
    },
    journal_record: (step) => {
      const operation = mapHook(step);
      if (operation === undefined) throw new Error('the hook sends nothing');
      const stamp: Stamp = { ts: String(step.ts), seq: String(step.seq) };
      const record = JSON.parse(journalLine(step.agent as Agent, operation, stamp)) as object;
      expect(withoutAdditive(record, step.expect as object)).toEqual(step.expect);
    },
    journal_parse: (step) =>
      expect(readJournalLine(String(step.line)) !== undefined).toBe(step.expect_parsed),
    journal_housekeeping: (step) => expect(housekeeping(step)).toBe(step.expect),
    pid_tick: (step) => {
      const processes = new Map(
        Object.entries(step.processes as Record<string, string | null>).map(([pid, token]) => [
          Number(pid),
          token,
        ]),
      );
      const actions = this.#registry.pidTick(processes);
      const expected = (step.expect_actions ?? actions) as object[];
      expect(actions).toHaveLength(expected.length);
      expect(actions).toEqual(expect.arrayContaining(expected));
    },
    system_sleep: (step) => this.#clock.sleep(Number(step.seconds) * 1000),
    seed_sessions: (step) => {
      seed(
        step,
        (id) => this.#registry.observe({ session_id: id, event: step.event } as ObservePayload),
        this.#clock,
      );
    },
    seed_windows: (step) => {
      const rest = { folders: [], tabs: 1, terminals: 0, ...(step.payload ?? {}) };
      seed(step, (key) => this.#registry.window({ ...rest, key } as unknown as WindowPayload), this.#clock);
    },
    count_sessions: (step) => expect(this.#registry.list().length).toBe(step.expect),
    has_session: (step) => expect(this.#registry.has(String(step.session_id))).toBe(step.expect),
    status_summary: (step) => expect(this.#registry.summary()).toBe(step.expect),
    focus_folder: (step) => expect(this.#registry.focusFolder(String(step.session_id))).toBe(step.expect),
  };

  #hook(step: Step): void {
    const operation = mapHook(step);
    if (operation === undefined) return;
    if (operation.op === 'end') this.#registry.end(operation.payload);
    else this.#registry.observe(operation.payload);
  }

  #firstSight(step: Step): void {
    const records = recordsOf(step.records as unknown[]);
    const now = this.#clock.wall();
    const processes = (step.processes ?? {}) as Record<string, number | null>;
    const locks = (step.codex_locks ?? {}) as Record<string, 'held' | 'free' | 'absent'>;
    const verdict = judgeJournal(records, now, {
      processStart: (pid) => {
        const start = processes[String(pid)];
        return typeof start === 'number' ? START + start * 1000 : start;
      },
      codexLock: locks[records[0]?.payload.session_id ?? ''] ?? 'absent',
    });
    expect(verdict).toMatchObject(step.expect_verdict as object);
    if (verdict.accept) replay(this.#registry, inOrder(records));
    if (step.expect_list !== undefined) this.#expectList(step.expect_list as ExpectedEntry[]);
    if (step.expect_deleted !== undefined) expect(!verdict.accept).toBe(step.expect_deleted);
  }

  #expectList(expected: ExpectedEntry[]): void {
    const entries = this.#registry.list();
    expect(entries).toHaveLength(expected.length);
    for (const [index, wanted] of expected.entries()) expectEntry(entries[index], wanted);
  }
}

function expectEntry(entry: SessionEntry | undefined, wanted: ExpectedEntry): void {
  const { absent = [], started_at_s, last_seen_s, ...keys } = wanted;
  expect(entry).toMatchObject(keys);
  for (const key of absent) expect(entry).not.toHaveProperty(key);
  const seconds = (text: string | undefined) => (Date.parse(text ?? '') - START) / 1000;
  if (started_at_s !== undefined) expect(seconds(entry?.started_at)).toBe(started_at_s);
  if (last_seen_s !== undefined) expect(seconds(entry?.last_seen)).toBe(last_seen_s);
}

function checked<T>(read: Checked<T>): T {
  if ('problem' in read) throw new Error(`the case has an unfit payload: ${read.problem}`);
  return read.value;
}

function mapHook({ hook, ppid, env }: Step) {
  const payload = readHookPayload(JSON.stringify(hook));
  const operation = typeof payload === 'string' ? undefined : mapClaudeHook(payload);
  const pid = claudePid((env ?? {}) as Record<string, string>, typeof ppid === 'number' ? ppid : undefined);
  if (operation !== undefined && pid !== undefined) operation.payload.pid = pid;
  return operation;
}

/** The records that the product reads; the others it passes over. */
function recordsOf(records: unknown[]): JournalRecord[] {
  return records.flatMap((record) => readJournalLine(JSON.stringify(record)) ?? []);
}

function housekeeping(step: Step): string {
  const bytes = Number(step.journal_bytes ?? 0);
  if (step.actor === 'sink') {
    return step.runtime_dir_exists === true && bytes <= JOURNAL_LIMIT_BYTES ? 'appended' : 'not_written';
  }
  const care = careForJournal({
    sessionLive: step.session_live === true,
    quietMs: Number(step.quiet_seconds) * 1000,
    bytes,
    fullyRead: step.fully_read !== false,
  });
  return { keep: 'kept', delete: 'deleted', compact: 'compacted' }[care];
}

function seed(step: Step, add: (name: string) => void, clock: FakeClock): void {
  const prefix = String(step.id_prefix ?? step.key_prefix ?? step.prefix);
  for (let index = 0; index < Number(step.count); index += 1) {
    add(`${prefix}${String(index).padStart(Number(step.pad), '0')}`);
    clock.advance(Number(step.step_ms));
  }
}
