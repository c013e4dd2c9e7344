import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDaemonArguments } from '../../../daemon-lite/service/arguments.ts';

describe('arguments of the daemon', () => {
  it('may be none, with or without the word run', () => {
    expect(parseDaemonArguments([], {})).toEqual({ unknownServices: [] });
    expect(parseDaemonArguments(['run'], {})).toEqual({ unknownServices: [] });
  });

  it('name the socket and the log by absolute paths', () => {
    expect(parseDaemonArguments(['run', '--socket', 'a.sock', '--log-file=/l'], {})).toEqual({
      socket: path.resolve('a.sock'),
      logFile: '/l',
      unknownServices: [],
    });
  });

  it('list services that nobody knows, from the option before the variable', () => {
    const env = { OMNI_DEV_DAEMON_SERVICES: 'worktrees' };
    expect(parseDaemonArguments(['run', '--services', 'sessions, snowflake,'], env)).toEqual({
      unknownServices: ['snowflake'],
    });
    expect(parseDaemonArguments(['run'], env)).toEqual({ unknownServices: ['worktrees'] });
  });

  it('take --no-menu, which means nothing here', () => {
    expect(parseDaemonArguments(['run', '--no-menu'], {})).toEqual({ unknownServices: [] });
  });

  it.each([[['run', '--socket']], [['run', '--socket', '']], [['run', '--frobnicate', 'x']], [['walk']]])(
    'are refused with the usage: %j',
    (argv) => {
      expect(parseDaemonArguments(argv, {})).toEqual({ usage: expect.stringContaining('usage: daemon run') });
    },
  );
});
