import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { FakePi, QUICK } from './fake-pi.ts';

/** One line of a capture: an event as the real pi fired it, or a mark of the recorder in parentheses. */
interface CaptureLine {
  ev: string;
  fields?: Record<string, unknown>;
  ctx?: { id?: string; file?: string; cwd?: string; model?: string; isIdle?: unknown };
}

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
});

afterEach(() => daemon.close());

function capture(name: string): CaptureLine[] {
  const file = path.join(import.meta.dirname, '../../fixtures/pi', `events-${name}.jsonl`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CaptureLine);
}

/** Long enough for a report, and for the looks of a pi that does not settle. */
const PAUSE_MS = QUICK.idleLook * 3;

/**
 * Plays a capture to the extension; what it reported, as `<id's last letters>: state state …` per session start.
 */
async function play(name: string): Promise<string[]> {
  let pi: FakePi | undefined;
  for (const { ev, fields, ctx } of capture(name)) {
    if (ev === '(factory)') pi = new FakePi(daemon.socket);
    if (pi === undefined || ev.startsWith('(')) continue;
    Object.assign(pi.session, { id: ctx?.id, file: ctx?.file, cwd: ctx?.cwd, model: ctx?.model });
    pi.session.idle = ctx?.isIdle === true;
    await pi.fire(ev, fields ?? {});
    if (ev === 'session_shutdown') pi.session.stale = true;
    // What every release does right after the last handler of an end; a settling one is idle when it settles.
    if (ev === 'agent_end' && name.startsWith('v0.73.1')) pi.session.idle = true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return inWords();
}

function inWords(): string[] {
  const lines: string[] = [];
  let session: string | undefined;
  for (const { payload } of daemon.requests) {
    const { session_id, event, outcome, reason } = payload as Record<string, string> & {
      event?: { stream_state: string };
    };
    const word =
      event === undefined ? `end(${reason})` : `${event.stream_state}${outcome ? `(${outcome})` : ''}`;
    if (session !== session_id) lines.push(`${session_id?.slice(-4)}:`);
    session = event === undefined ? undefined : session_id;
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines;
}

const RUN = 'working idle(done)';

describe('the reports of a captured pi', () => {
  it.each([
    ['json-tool-call', [`03b5: idle ${RUN} end(quit)`]],
    ['print-ephemeral', [`8487: idle ${RUN} end(quit)`]],
    ['print-prompt', [`6143: idle ${RUN} end(quit)`]],
    ['rpc-stdin-eof', [`e07c: idle ${RUN} end(quit)`]],
    [
      'rpc-dialog-new-abort-sigterm',
      [
        `8ff1: idle ${RUN} working waiting_for_input working idle(done) waiting_for_input(done) idle(done) end(new)`,
        '73a2: idle working idle(interrupted) end(quit)',
      ],
    ],
    [
      'tui-new-resume-retry-fork-quit',
      [
        `5dfe: idle ${RUN} ${RUN} waiting_for_input(done) idle(done) end(new)`,
        `d4ee: idle ${RUN} working idle(interrupted) end(resume)`,
        '5dfe: idle end(reload)',
        `5dfe: idle ${RUN} end(fork)`,
        'fcdb: idle end(fork)',
        '0164: idle end(quit)',
      ],
    ],
    ['tui-sighup', ['bced: idle end(quit)']],
    ['tui-sigterm-dialog', ['0b42: idle waiting_for_input end(quit)']],
    ['tui-sigterm-working', ['4b99: idle working idle(interrupted) end(quit)']],
    ['tui-steer', [`2ecf: idle ${RUN}`]],
    ['tui-terminal-closed', [`1ed8: idle ${RUN}`]],
    ['trust-prompt', []],
    // No agent_settled and no dialog events in this release.
    ['v0.73.1-print-prompt', [`1a9d: idle ${RUN} end(quit)`]],
    ['v0.73.1-rpc-dialog-new-retry', [`f4da: idle ${RUN} ${RUN} end(new)`, `7c1b: idle ${RUN} end(quit)`]],
    [
      'v0.73.1-tui',
      [
        `adc7: idle ${RUN} ${RUN} end(new)`,
        `89ec: idle ${RUN} end(resume)`,
        `adc7: idle ${RUN} ${RUN} end(reload)`,
        'adc7: idle end(quit)',
      ],
    ],
  ])('%s', async (name, expected) => {
    expect(await play(name)).toEqual(expected);
  });
});
