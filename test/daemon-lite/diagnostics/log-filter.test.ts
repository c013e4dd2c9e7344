import { describe, expect, it } from 'vitest';
import { parseLogFilter, rankFor } from '../../../daemon-lite/diagnostics/log-filter.ts';

const LEVEL_BY_RANK = ['off', 'error', 'warn', 'info', 'debug', 'trace'];

function levelOf(filter: string, target: string): string | undefined {
  return LEVEL_BY_RANK[rankFor(parseLogFilter(filter), target)];
}

describe('a log filter', () => {
  it.each([
    ['info', 'omni_dev::sessions', 'info'],
    ['DEBUG', 'omni_dev::sessions', 'debug'],
    ['info,omni_dev::sessions=debug', 'omni_dev::sessions', 'debug'],
    ['info,omni_dev::sessions=debug', 'omni_dev::daemon', 'info'],
    ['omni_dev::sessions=debug,info', 'omni_dev::sessions', 'debug'],
    ['info,omni_dev::daemon=debug', 'omni_dev::daemon::server', 'debug'],
    ['info,omni_dev::daemon::server=trace', 'omni_dev::daemon', 'info'],
    ['omni_dev::daemon=warn,omni_dev::daemon::server=trace', 'omni_dev::daemon::server', 'trace'],
    ['omni_dev::daemon=debug', 'omni_dev::daemonic', 'off'],
    ['omni_dev::sessions', 'omni_dev::sessions', 'trace'],
    ['omni_dev::sessions=debug', 'omni_dev::daemon', 'off'],
    ['info,omni_dev::sessions=off', 'omni_dev::sessions', 'off'],
    [' info , omni_dev = debug ', 'omni_dev::sessions', 'debug'],
    ['', 'omni_dev::sessions', 'off'],
  ])('%j gives %s the level %s', (filter, target, level) => {
    expect(levelOf(filter, target)).toBe(level);
  });

  it.each(['omni_dev=loud', 'a=b=c', '=debug', 'x[span]=debug', 'omni dev=debug'])(
    'ignores %j and says so',
    (directive) => {
      const filter = parseLogFilter(`info,${directive}`);
      expect(filter.invalid).toEqual([directive]);
      expect(LEVEL_BY_RANK[rankFor(filter, 'omni_dev')]).toBe('info');
    },
  );
});
