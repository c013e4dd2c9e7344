import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePaths, type Surroundings } from '../../../contract/paths.ts';
import { agentFile, agentText } from '../../../shims/service/launchd-agent.ts';
import { serviceFiles, serviceFilesOrNone } from '../../../shims/service/service-files.ts';
import { serviceTargets } from '../../../shims/service/service-plan.ts';
import { serviceUnitText, socketUnitText, systemdUnitDir } from '../../../shims/service/systemd-units.ts';
import { parsePlist } from './plist.ts';

function user(env: Record<string, string> = {}, platform: NodeJS.Platform = 'linux'): Surroundings {
  return { env, platform, home: '/home/me', uid: 1000 };
}

function targets(around: Surroundings, socket?: string) {
  return serviceTargets(around, resolvePaths(around, socket));
}

describe('the systemd units', () => {
  it('name the command shim and the socket, and nothing that an upgrade moves', () => {
    const plain = targets(user());
    expect(
      socketUnitText(plain),
    ).toBe(`# Written by omni-dev. Put changes into a drop-in (systemctl --user edit), not in here.
[Unit]
Description=omni-dev: socket of the daemon that knows the agent sessions

[Socket]
ListenStream=/home/me/.local/share/omni-dev/daemon.sock
SocketMode=0600
DirectoryMode=0700
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
`);
    expect(
      serviceUnitText(plain),
    ).toBe(`# Written by omni-dev. Put changes into a drop-in (systemctl --user edit), not in here.
[Unit]
Description=omni-dev: daemon that knows the agent sessions
Requires=omni-dev-daemon.socket
After=omni-dev-daemon.socket

[Service]
ExecStart=/bin/sh /home/me/.local/share/omni-dev/bin/omni-dev daemon run --log-file /home/me/.local/share/omni-dev/daemon.log
UnsetEnvironment=NODE_OPTIONS
StandardError=append:/home/me/.local/share/omni-dev/daemon.log
`);
  });

  it('carry the variables that say where things are, and no others', () => {
    const env = { CODEX_HOME: '/c', RUST_LOG: 'debug', OMNI_DEV_LOG: 'x', XDG_DATA_HOME: '/d', PATH: '/bin' };
    const text = serviceUnitText(targets(user(env)));
    expect(text.split('\n').filter((line) => line.startsWith('Environment='))).toEqual([
      'Environment="XDG_DATA_HOME=/d"',
      'Environment="CODEX_HOME=/c"',
    ]);
  });

  it('spell what systemd would read otherwise: specifiers, variables, quotes', () => {
    const text = serviceUnitText(targets(user({ XDG_DATA_HOME: '/a b/%h/$x/"q"/\\n' })));
    expect(text).toContain('ExecStart=/bin/sh "/a b/%%h/$$x/\\"q\\"/\\\\n/omni-dev/bin/omni-dev" daemon run');
    expect(text).toContain('Environment="XDG_DATA_HOME=/a b/%%h/$x/\\"q\\"/\\\\n"');
    expect(text).toContain('StandardError=append:/a b/%%h/$x/"q"/\\n/omni-dev/daemon.log');
  });

  it('name a socket that was chosen by hand to the daemon too', () => {
    expect(serviceUnitText(targets(user(), '/run/x/d.sock'))).toContain('--socket /run/x/d.sock --log-file');
    expect(socketUnitText(targets(user(), '/run/x/d.sock'))).toContain('ListenStream=/run/x/d.sock\n');
  });

  it('lie where the user’s own units lie', () => {
    expect(systemdUnitDir(user())).toBe('/home/me/.config/systemd/user');
    expect(systemdUnitDir(user({ XDG_CONFIG_HOME: '/cfg' }))).toBe('/cfg/systemd/user');
    expect(systemdUnitDir(user({ XDG_CONFIG_HOME: 'relative' }))).toBe('/home/me/.config/systemd/user');
    expect(serviceFiles(user(), resolvePaths(user())).map(({ file }) => file)).toEqual([
      '/home/me/.config/systemd/user/omni-dev-daemon.service',
      '/home/me/.config/systemd/user/omni-dev-daemon.socket',
      '/home/me/.config/systemd/user/sockets.target.wants/omni-dev-daemon.socket',
    ]);
  });

  it.each(['/a\nExecStart=/bin/evil', '/a\0', '/a ', '/a\\'])(
    'refuse %j, which no line can hold',
    (value) => {
      expect(() => targets(user({ CODEX_HOME: value }))).toThrow(/a character that a service definition/);
      expect(serviceFilesOrNone(user({ CODEX_HOME: value }), resolvePaths(user()))).toEqual([]);
    },
  );
});

describe('the launchd agent', () => {
  const mac = user({ CODEX_HOME: '/c & <d>' }, 'darwin');

  it('is a property list of what launchd knows, each of its type', () => {
    expect(parsePlist(agentText(targets(mac)))).toEqual({
      Label: 'com.github.rust-works.omni-dev.daemon',
      ProgramArguments: [
        '/bin/sh',
        '/home/me/Library/Application Support/omni-dev/bin/omni-dev',
        'daemon',
        'run',
        '--log-file',
        '/home/me/Library/Application Support/omni-dev/daemon.log',
      ],
      EnvironmentVariables: { CODEX_HOME: '/c & <d>' },
      WorkingDirectory: '/',
      RunAtLoad: true,
      KeepAlive: true,
      StandardOutPath: '/home/me/Library/Application Support/omni-dev/daemon.log',
      StandardErrorPath: '/home/me/Library/Application Support/omni-dev/daemon.log',
      Umask: 0o77,
    });
    expect(serviceFiles(mac, resolvePaths(mac)).map(({ file }) => file)).toEqual([agentFile('/home/me')]);
  });

  it('holds any path unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const around = user({ CODEX_HOME: `/${text}` }, 'darwin');
        let plist: string;
        try {
          plist = agentText(targets(around));
        } catch {
          return;
        }
        expect(parsePlist(plist)).toMatchObject({ EnvironmentVariables: { CODEX_HOME: `/${text}` } });
      }),
    );
  });
});
