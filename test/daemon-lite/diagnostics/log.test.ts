import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decisionRecorder, eventWord } from '../../../daemon-lite/diagnostics/decision-records.ts';
import { Log } from '../../../daemon-lite/diagnostics/log.ts';
import { logFileSink, openLogFile } from '../../../daemon-lite/diagnostics/log-file.ts';
import { parseLogFilter } from '../../../daemon-lite/diagnostics/log-filter.ts';
import { chooseLogLevel } from '../../../daemon-lite/diagnostics/log-level.ts';
import type { Decision } from '../../../daemon-lite/registry/api.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

const NOON = Date.parse('2026-10-03T12:00:00Z');

/** A log that keeps its lines. */
function keptLog(filter: string): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: new Log(
      parseLogFilter(filter),
      (line) => lines.push(line),
      () => NOON,
    ),
  };
}

let home: ThrowAwayHome;
beforeEach(() => {
  home = new ThrowAwayHome();
});
afterEach(() => home.remove());

describe('a log record', () => {
  it('is one line: time, level, target, name, fields', () => {
    const { log, lines } = keptLog('info');
    log.target('omni_dev::daemon').info('daemon_started', { pid: 7, socket: '/a/b c', commit: undefined });
    expect(lines).toEqual([
      '2026-10-03T12:00:00.000Z  INFO omni_dev::daemon: daemon_started pid=7 socket="/a/b c"\n',
    ]);
  });

  it('carries no control or bidi character, whatever a sender put into a path', () => {
    const { log, lines } = keptLog('info');
    log.target('x').info('seen', { cwd: '/a\u001b[31m\n/b\u202e' });
    expect(lines[0]).toBe('2026-10-03T12:00:00.000Z  INFO x: seen cwd=/a[31m/b\n');
  });

  it('cuts absurdly long values', () => {
    const { log, lines } = keptLog('info');
    log.target('x').info('seen', { cwd: 'y'.repeat(100_000) });
    expect(lines[0]?.length).toBeLessThan(1_200);
  });

  it('is written only at levels that the filter lets through', () => {
    const { log, lines } = keptLog('warn,quiet=off');
    log.target('loud').info('no');
    log.target('loud').warn('yes');
    log.target('quiet').error('no');
    expect(lines).toHaveLength(1);
    expect(log.target('loud').enabled('debug')).toBe(false);
  });
});

describe('records of the registry', () => {
  const observed: Decision = {
    kind: 'session_observed',
    session_id: 's1',
    agent: 'claude',
    event: { notification: 'idle_prompt' },
    pid: 12,
    origin: 'socket',
    outcome: 'state_changed',
    old_state: 'working',
    new_state: 'waiting_for_input',
    reaped: 0,
    bumped: true,
  };

  it('say what was seen, what became of it and whether it was pushed', () => {
    const { log, lines } = keptLog('debug');
    decisionRecorder(log)(observed);
    expect(lines[0]).toContain('DEBUG omni_dev::sessions: session_observed session_id=s1 agent=claude');
    for (const field of [
      'event=notification:idle_prompt',
      'pid=12',
      'origin=socket',
      'outcome=state_changed',
      'old_state=working',
      'new_state=waiting_for_input',
      'bumped=true',
    ])
      expect(lines[0]).toContain(field);
  });

  it('tell evictions at debug and single reaps at trace', () => {
    const { log, lines } = keptLog('debug');
    const record = decisionRecorder(log);
    record({ kind: 'removed', reason: 'session_ttl', id: 'old' });
    record({ kind: 'removed', reason: 'session_cap', id: 'silent' });
    expect(lines).toEqual([expect.stringContaining('evicted reason=session_cap id=silent')]);
    const traced = keptLog('trace');
    decisionRecorder(traced.log)({ kind: 'removed', reason: 'window_ttl', id: 'w' });
    expect(traced.lines[0]).toContain('TRACE omni_dev::sessions: reaped reason=window_ttl id=w');
  });

  it('are not even built when the level is off', () => {
    const { log, lines } = keptLog('info');
    const trap = new Proxy(observed, {
      ownKeys: () => {
        throw new Error('fields were built');
      },
    });
    decisionRecorder(log)(trap);
    expect(lines).toEqual([]);
  });

  it('name events by one word', () => {
    expect(eventWord('stop')).toBe('stop');
    expect(eventWord({ stream_state: 'working' })).toBe('stream_state:working');
  });
});

describe('the log level', () => {
  function settings(text: string): void {
    mkdirSync(home.path('.omni-dev'), { recursive: true });
    writeFileSync(home.path('.omni-dev', 'settings.json'), text);
  }

  it('is OMNI_DEV_LOG before RUST_LOG before the settings file before info', () => {
    settings('{"daemon":{"log_level":"trace"}}');
    const both = { OMNI_DEV_LOG: 'warn', RUST_LOG: 'debug' };
    expect(chooseLogLevel(home.around(both))).toEqual({ filter: 'warn', origin: 'OMNI_DEV_LOG' });
    expect(chooseLogLevel(home.around({ RUST_LOG: 'debug' }))).toEqual({
      filter: 'debug',
      origin: 'RUST_LOG',
    });
    expect(chooseLogLevel(home.around({ OMNI_DEV_LOG: ' ', RUST_LOG: '' }))).toEqual({
      filter: 'trace',
      origin: 'settings',
    });
  });

  it('is info without any of them, and names a settings file that it cannot use', () => {
    expect(chooseLogLevel(home.around())).toEqual({ filter: 'info', origin: 'default' });
    settings('{"daemon": {"log_level": 5}}');
    expect(chooseLogLevel(home.around())).toEqual({ filter: 'info', origin: 'default' });
    settings('{broken');
    expect(chooseLogLevel(home.around())).toEqual({
      filter: 'info',
      origin: 'default',
      problem: expect.stringContaining('settings.json was not read: it is not valid JSON'),
    });
  });
});

describe('the log file', () => {
  it('is owner-only, and an existing one is tightened', () => {
    const file = home.path('daemon.log');
    writeFileSync(file, 'old\n', { mode: 0o644 });
    openLogFile(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('old\n');
  });

  it('is cut to its last half, at a line boundary, when it reaches its bound', () => {
    const file = home.path('daemon.log');
    const write = logFileSink(openLogFile(file), 1_000);
    for (let count = 0; count < 500; count++) {
      write(`record number ${count}\n`);
      expect(statSync(file).size).toBeLessThanOrEqual(1_000);
    }
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.at(-1)).toBe('record number 499');
    for (const line of lines) expect(line).toMatch(/^record number \d+$/);
  });

  it('loses records, nothing else, when it cannot be written', () => {
    const write = logFileSink(999_999);
    expect(() => write('lost\n')).not.toThrow();
  });
});
