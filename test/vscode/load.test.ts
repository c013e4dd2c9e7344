import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditorWindow, eventually } from './window.ts';
import { World } from './world.ts';

const SESSIONS = 500;
const CHANGES_PER_SECOND = 50;
const MEASURE_MS = 20_000;
const RELOADS = 1;
/** The other extensions of a fresh window are busy for a while. */
const SETTLE_MS = 15_000;

const STATES = ['working', 'idle', 'waiting_for_permission', 'waiting_for_input'];
const MODELS = ['claude-opus-4-8', 'claude-haiku-4-5', 'gpt-5.5'];

const world = new World();
let window: EditorWindow;

/** One report of a session, as a wrapper sends it. */
function report(index: number, state: number): Promise<void> {
  return world.observe({
    session_id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
    event: { stream_state: STATES[state % STATES.length] },
    agent: index % 3 === 2 ? 'codex' : 'claude',
    model: MODELS[index % MODELS.length],
    cwd: index % 2 === 0 ? world.outer : world.inner,
  });
}

/** Processor seconds that the extension host has used, of all extensions in it. */
async function cpuSeconds(): Promise<number> {
  const { user, system } = (await window.inside('cpu')) as { user: number; system: number };
  return (user + system) / 1e6;
}

async function cpuShare(during: () => Promise<void>): Promise<number> {
  const began = performance.now();
  const before = await cpuSeconds();
  await during();
  return ((await cpuSeconds()) - before) / ((performance.now() - began) / 1000);
}

/** Changes one session after the other. */
async function churn(): Promise<void> {
  const began = performance.now();
  let sent = 0;
  for (let passed = 0; passed < MEASURE_MS; passed = performance.now() - began) {
    for (; sent < (passed / 1000) * CHANGES_PER_SECOND; sent += 1) {
      const index = (sent * 7) % SESSIONS;
      await report(index, index + 1 + Math.floor((sent * 7) / SESSIONS));
    }
    await sleep(20);
  }
  expect(sent, 'changes sent').toBeGreaterThan(CHANGES_PER_SECOND * (MEASURE_MS / 1000) * 0.9);
}

beforeAll(async () => {
  await world.startDaemon();
  await world.start();
  window = await world.open(world.outer);
  await window.showSessions();
});

afterAll(() => world.stop());

describe('the extension', () => {
  it('says at each activation how long it took', async () => {
    const times = () => [...world.output().matchAll(/took_ms=([\d.]+)/g)].map(([, ms]) => Number(ms));
    for (let reload = 1; reload <= RELOADS; reload += 1) {
      await window.command('workbench.action.reloadWindow').catch(() => {});
      await eventually(
        async () => times(),
        (all) => all.length > reload,
        'the window did not reload',
        120_000,
      );
    }
    console.log(`activation took ${times().join(', ')} ms`);
  });

  it('shows the last of 50 changes a second with 500 sessions, and the processor time it took is printed', async () => {
    await window.activated();
    await window.showSessions();
    for (let index = 0; index < SESSIONS; index += 1) await report(index, index);
    await eventually(
      () => window.rows(),
      (rows) => rows.length > 10,
      'the rows were not drawn',
    );
    await sleep(SETTLE_MS);
    const quiet = await cpuShare(() => sleep(10_000));
    const busy = await cpuShare(churn);
    console.log(
      `extension host: ${(quiet * 100).toFixed(1)} % of a core in quiet, ${(busy * 100).toFixed(1)} % under load`,
    );
    const waiting = (await world.list()).filter(({ state }) => state.startsWith('waiting')).length;
    await eventually(
      () => window.statusBar(),
      (text) => text.startsWith(`!${waiting} `),
      `the status bar does not show ${waiting} waiting`,
    );
  });
});
