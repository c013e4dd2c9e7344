import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_CAPTURES, type DemoCapture } from '../../cli/demo/captures.ts';
import { paced } from '../../cli/demo/pace.ts';
import { StreamTracker } from '../../wrappers/claude/tracker.ts';
import { OMNI_DEV, REPOSITORY } from '../support/programs.ts';
import { omniDev, type TerminalProgram } from './support/terminal.ts';

let temporary: string;
let terminal: TerminalProgram | undefined;

beforeEach(() => {
  temporary = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
});

afterEach(async () => {
  await terminal?.dispose();
  terminal = undefined;
  rmSync(temporary, { recursive: true, force: true });
});

/** The states that the tracker reads from a shipped recording. */
function statesOf(capture: DemoCapture): string[] {
  const tracker = new StreamTracker();
  const states = capture.lines.flatMap(({ from, line }) => {
    const text = JSON.stringify({ ...line, session_id: from === 'agent' ? 'the-session' : '' });
    const report = tracker.line(from === 'agent' ? 'from_claude' : 'to_claude', text);
    return report !== undefined && 'state' in report ? [report.state] : [];
  });
  return states.filter((state, index) => state !== states[index - 1]);
}

/** The states that the full capture goes through, from its first line with an id on. */
function expectedStates(name: string): string[] {
  const file = path.join(REPOSITORY, 'test/fixtures/claude', `${name}.expect.json`);
  const { changes } = JSON.parse(readFileSync(file, 'utf8')) as { changes: { state: string }[] };
  return changes.map(({ state }) => state).filter((state) => state !== 'ended');
}

describe('the recordings of the demo', () => {
  it.each(DEMO_CAPTURES)('$name goes through the states of the full capture', (capture) => {
    expect(statesOf(capture)).toEqual(expectedStates(capture.name));
  });

  it('hold nothing that a person or a model wrote', () => {
    const known =
      /^(type|subtype|state|model|request|request_id|response|tool_name|agent_id|is_error|tasks|task_id|task_type|terminal_reason)$/;
    for (const { lines } of DEMO_CAPTURES) {
      for (const { line } of lines) JSON.stringify(line, (key, value) => expectKnown(key, value, known));
    }
  });

  it('are played with their long pauses cut', () => {
    for (const capture of DEMO_CAPTURES) {
      const { steps, lastPauseMs } = paced(capture, 2);
      expect(Math.max(lastPauseMs, ...steps.map(({ pauseMs }) => pauseMs))).toBeLessThanOrEqual(1_250);
    }
  });
});

function expectKnown(key: string, value: unknown, known: RegExp): unknown {
  if (key !== '' && Number.isNaN(Number(key))) expect(key).toMatch(known);
  return value;
}

describe('start --demo', () => {
  it('prints labelled snapshots where stdout is no terminal, ends by itself and leaves nothing', async () => {
    const child = spawn(process.execPath, [OMNI_DEV, 'start', '--demo', '--speed', '6'], {
      env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(out).toMatch(/^RECORDING/);
    for (const state of ['working', 'waiting-perm', 'waiting-input', 'idle', 'ended']) {
      expect(out).toMatch(new RegExp(`^${state} +claude`, 'm'));
    }
    expect(out).toMatch(/ (shop|api|docs|web|billing) +\d+s /);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('shows them in a live table and leaves nothing when the person quits', async () => {
    terminal = omniDev(['start', '--demo', '--speed', '3'], { env: { HOME: temporary, TMPDIR: temporary } });
    await terminal.shows('! permission');
    expect(terminal.lines()[0]).toContain('RECORDING');
    await terminal.shows('~/shop');
    terminal.type('q');
    expect((await terminal.exits()).exitCode).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
