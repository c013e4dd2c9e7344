import { describe, expect, it } from 'vitest';
import { findLeavings, parseProcessList } from '../../../wrappers/codex/leavings.ts';

const DIR = '/home/dev/.local/share/omni-dev';
const server = (wrapper: number) => `/bin/codex app-server --listen unix://${DIR}/codex-wrap-${wrapper}.sock`;
const tui = (wrapper: number) => `/bin/codex --remote unix://${DIR}/codex-wrap-${wrapper}.sock resume`;

describe('what killed wrappers leave', () => {
  it('is their server, their interface and their socket path', () => {
    const processes = [
      { pid: 11, commandLine: server(10) },
      { pid: 12, commandLine: tui(10) },
    ];
    expect(findLeavings(DIR, ['codex-wrap-10.sock', 'daemon.sock'], processes)).toEqual({
      socketPaths: [`${DIR}/codex-wrap-10.sock`],
      pids: [11, 12],
    });
  });

  it('is found by its processes alone, and by its socket path alone', () => {
    expect(findLeavings(DIR, [], [{ pid: 11, commandLine: server(10) }])).toEqual({
      socketPaths: [`${DIR}/codex-wrap-10.sock`],
      pids: [11],
    });
    expect(findLeavings(DIR, ['codex-wrap-10.sock'], [])).toEqual({
      socketPaths: [`${DIR}/codex-wrap-10.sock`],
      pids: [],
    });
  });

  it('is nothing of a wrapper that lives', () => {
    const processes = [
      { pid: 10, commandLine: 'node /usr/lib/omni-dev/dist/codex-wrap.cjs -- codex' },
      { pid: 11, commandLine: server(10) },
      { pid: 20, commandLine: '/usr/bin/node /opt/omni-dev.cjs codex-wrap codex' },
      { pid: 21, commandLine: server(20) },
    ];
    const names = ['codex-wrap-10.sock', 'codex-wrap-20.sock'];
    expect(findLeavings(DIR, names, processes)).toEqual({ socketPaths: [], pids: [] });
  });

  it('is recognised though the pid was given to somebody else since', () => {
    const processes = [
      { pid: 10, commandLine: 'vim notes' },
      { pid: 11, commandLine: server(10) },
    ];
    expect(findLeavings(DIR, ['codex-wrap-10.sock'], processes).pids).toEqual([11]);
  });

  it.each([
    ['a server of another directory', '/bin/codex app-server --listen unix:///else/codex-wrap-10.sock'],
    ['a name that only begins like ours', `/bin/codex --remote unix://${DIR}/codex-wrap-10.sock.bak`],
    ['a text that mentions the path', `grep ${DIR}/codex-wrap-10.sock`],
    ['the shared server', '/bin/codex app-server --listen unix:// --managed-daemon'],
  ])('is never %s', (_, commandLine) => {
    expect(findLeavings(DIR, [], [{ pid: 11, commandLine }])).toEqual({ socketPaths: [], pids: [] });
  });

  it('takes characters of the directory for themselves', () => {
    const commandLine = '/bin/codex --remote unix:///home/dxev/codex-wrap-10.sock';
    expect(findLeavings('/home/d.*v', [], [{ pid: 11, commandLine }]).pids).toEqual([]);
  });
});

describe('a process list of ps', () => {
  it('is read line by line', () => {
    expect(
      parseProcessList('    1 /sbin/launchd\n  512 /bin/codex app-server --listen unix:///x y\nrubbish\n'),
    ).toEqual([
      { pid: 1, commandLine: '/sbin/launchd' },
      { pid: 512, commandLine: '/bin/codex app-server --listen unix:///x y' },
    ]);
  });
});
