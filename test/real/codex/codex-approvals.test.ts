import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVAL, CodexLab } from '../../lab/codex-lab.ts';

const FIRST_START_MS = 150_000;

/** What the model answers once the command has been dealt with. */
const ANSWER = { root: /Approval handled/, subagent: /The helper finished/ };
const PROMPT = { root: 'ask for approval', subagent: 'spawn a guarded helper' };

describe('a pending approval on the shared server', { timeout: 240_000 }, () => {
  const lab = new CodexLab();
  beforeAll(async () => {
    await lab.start();
    const terminal = await lab.plain();
    await lab.reach('idle', 0, FIRST_START_MS);
    await terminal.enter('/exit');
    await terminal.exited;
  }, FIRST_START_MS + 60_000);
  afterAll(() => lab.stop());

  it.each(['root', 'subagent'] as const)(
    'of a %s survives our observer coming, staying, crashing and coming back, and is decided by the user alone',
    async (who) => {
      await lab.daemon.stop();
      const terminal = await lab.plain();
      await terminal.enter(PROMPT[who]);
      await terminal.see(APPROVAL, 60_000);

      // It comes while the approval is pending.
      await lab.startDaemon();
      const row = await newRow();
      await lab.reach('waiting_for_permission', row, 60_000);
      // It stays.
      await sleep(4_000);
      expect(terminal.text()).toMatch(APPROVAL);
      // It crashes and comes back.
      lab.daemon.child.kill('SIGKILL');
      await sleep(1_500);
      expect(terminal.text()).toMatch(APPROVAL);
      await lab.startDaemon();
      await lab.reach('waiting_for_permission', row, 60_000);
      await sleep(2_000);
      expect(terminal.text()).toMatch(APPROVAL);

      terminal.press('y');
      await terminal.see(ANSWER[who], 60_000);
      expect(terminal.text()).not.toMatch(/Not available in TUI yet|declined|denied/i);
      await lab.reach('idle done', row);
      await terminal.enter('/exit');
      await terminal.exited;
    },
  );

  /** The row that shows a wait first. */
  async function newRow(): Promise<number> {
    const waiting = () =>
      lab.sessions.findIndex((_, row) => lab.states(row).at(-1) === 'waiting_for_permission');
    if (!(await lab.recorder.until(() => waiting() !== -1, 60_000))) throw new Error('no row waits');
    return waiting();
  }
});
