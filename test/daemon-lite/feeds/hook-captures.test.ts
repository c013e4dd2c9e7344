import { describe, expect, it } from 'vitest';
import { mapClaudeHook } from '../../../sink/claude-mapping.ts';
import { readHookPayload } from '../../../sink/hook-payload.ts';
import { Bench } from '../registry/bench.ts';
import { addState, captureLines, captureNames, expectedStates } from './captures.ts';
import { HOOK_BLIND_SPOTS } from './hook-blind-spots.ts';

interface HookLine {
  t: number;
  payload: Record<string, unknown>;
  env?: Record<string, string>;
}

/** Runs a capture's hooks through sink mapping and registry; the states of the session that each hook names. */
function statesByHooks(name: string): string[] {
  const bench = new Bench();
  const states: string[] = [];
  let before = 0;
  for (const [index, line] of captureLines<HookLine>('hooks', name).entries()) {
    bench.after(Math.max(0, line.t - before) / 1000);
    before = line.t;
    const payload = readHookPayload(JSON.stringify(line.payload));
    if (typeof payload === 'string') throw new Error(`line ${index}: ${payload}`);
    const operation = mapClaudeHook(payload);
    if (operation?.op === 'end') bench.end(operation.payload);
    else if (operation !== undefined) bench.hook(operation.payload.event, operation.payload);
    if (operation !== undefined) addState(states, bench.state(payload.session_id));
  }
  return states;
}

const withStream = captureNames('hooks').filter((name) => expectedStates(name) !== undefined);

describe('captured hooks give the states of their streams', () => {
  it('has captures', () => expect(withStream.length).toBeGreaterThan(30));

  for (const name of withStream) {
    // Two processes share this session; who is who is told by pid, which has a test of its own.
    if (name === 'resume-while-running') continue;
    it(name, () => {
      const [first, ...rest] = expectedStates(name) ?? [];
      const seen = rest[0] === 'idle' ? [first, ...rest.slice(1)] : [first, ...rest];
      const blind = HOOK_BLIND_SPOTS[name];
      expect(statesByHooks(name)).toEqual(blind?.states.split(' ') ?? seen);
    });
  }

  it('every blind spot belongs to a capture', () => {
    expect(Object.keys(HOOK_BLIND_SPOTS).filter((name) => !withStream.includes(name))).toEqual([]);
  });
});

describe('a session resumed while it runs', () => {
  it('goes on with the first process when the second one ends', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    const states: string[] = [];
    let pid = 100;
    for (const line of captureLines<HookLine>('hooks', 'resume-while-running')) {
      const payload = readHookPayload(JSON.stringify(line.payload));
      const operation = typeof payload === 'string' ? undefined : mapClaudeHook(payload);
      if (typeof payload === 'string' || operation === undefined) continue;
      if (payload.source === 'resume') pid = 200;
      bench.after(1).registry.pidTick(new Map([...[100, 200].map((live) => [live, `t${live}`] as const)]));
      const id = { session_id: payload.session_id, pid };
      if (operation.op === 'end') {
        bench.end(id);
        bench.processes.kill(pid);
        pid = 100;
      } else bench.hook(operation.payload.event, { ...operation.payload, ...id });
      addState(states, bench.state(payload.session_id));
    }
    expect(states).toEqual([
      'starting',
      'working',
      'idle',
      'starting',
      'working',
      'idle',
      'working',
      'idle',
      'ended',
    ]);
  });
});
