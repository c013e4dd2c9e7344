import { describe, expect, it } from 'vitest';
import type { Surroundings } from '../../../contract/paths.ts';
import { serviceManager } from '../../../shims/service/manager-here.ts';
import { type RunTool, runTool, type ToolResult } from '../../../shims/service/run-tool.ts';
import { readUnits } from '../../../shims/service/systemd-manager.ts';

const ran = (stdout = ''): ToolResult => ({ is: 'ran', ok: true, stdout, said: '' });
const failed = (said: string): ToolResult => ({ is: 'ran', ok: false, stdout: '', said });

/** Runs nothing: answers by the words of the command, and notes the commands. */
function told(answer: (command: string) => ToolResult = () => ran()) {
  const commands: string[] = [];
  const environments: Readonly<Record<string, string | undefined>>[] = [];
  const run: RunTool = (file, args, env) => {
    const command = [file, ...args].join(' ');
    commands.push(command);
    environments.push(env);
    return Promise.resolve(answer(command));
  };
  return { run, commands, environments };
}

const linux: Surroundings = { env: { A: 'b' }, platform: 'linux', home: '/home/me', uid: 987_654 };
const mac: Surroundings = { ...linux, platform: 'darwin', home: '/Users/me u' };

const units = (service: string, socket: string) =>
  ran(
    `Id=omni-dev-daemon.socket\nActiveState=${socket}\nResult=success\n\n` +
      `Id=omni-dev-daemon.service\nActiveState=${service}\nResult=exit-code\n`,
  );

describe('systemd', () => {
  it.each([
    ['active', 'active', 'running'],
    ['activating', 'active', 'running'],
    ['deactivating', 'inactive', 'running'],
    ['inactive', 'active', 'armed'],
    ['failed', 'active', 'armed'],
    ['inactive', 'inactive', 'off'],
    ['failed', 'failed', 'off'],
  ])('with a service that is %s and a socket that is %s stands: %s', async (service, socket, standing) => {
    const { run } = told(() => units(service, socket));
    expect(await serviceManager(linux, run).standing()).toBe(standing);
  });

  it('is off when it cannot be asked', async () => {
    const { run } = told(() => failed('no bus'));
    expect(await serviceManager(linux, run).standing()).toBe('off');
    expect(await serviceManager(linux, run).reach()).toEqual({ is: 'unreachable', why: 'no bus' });
    expect(await serviceManager(linux, told(() => ({ is: 'missing' })).run).reach()).toEqual({
      is: 'missing',
    });
  });

  it('tells which unit failed, and of what', async () => {
    const { run } = told(() => units('failed', 'active'));
    expect(await serviceManager(linux, run).failure()).toBe('omni-dev-daemon.service failed (exit-code)');
    expect(
      await serviceManager(linux, told(() => units('inactive', 'active')).run).failure(),
    ).toBeUndefined();
  });

  it('is told to forget earlier failures before every start', async () => {
    const { run, commands } = told();
    const manager = serviceManager(linux, run);
    await manager.arm();
    await manager.start();
    await manager.restart();
    await manager.stop();
    expect(commands.map((command) => command.replace('systemctl --user --no-ask-password ', ''))).toEqual([
      'daemon-reload',
      'reset-failed omni-dev-daemon.socket omni-dev-daemon.service',
      'start omni-dev-daemon.socket',
      'reset-failed omni-dev-daemon.socket omni-dev-daemon.service',
      'start omni-dev-daemon.socket omni-dev-daemon.service',
      'reset-failed omni-dev-daemon.socket omni-dev-daemon.service',
      'restart omni-dev-daemon.service',
      'stop omni-dev-daemon.socket omni-dev-daemon.service',
    ]);
  });

  it('is quoted when it refuses, with where to look', async () => {
    const { run } = told((command) => (command.includes('start omni') ? failed('Unit not found.') : ran()));
    await expect(serviceManager(linux, run).start()).rejects.toThrow(
      'systemctl --user start omni-dev-daemon.socket omni-dev-daemon.service failed: Unit not found. ' +
        'See: systemctl --user status omni-dev-daemon.service',
    );
  });

  it('is looked for in the runtime directory that the shell names', async () => {
    const { run, environments } = told();
    await serviceManager({ ...linux, env: { XDG_RUNTIME_DIR: '/tmp' } }, run).reach();
    await serviceManager(linux, run).reach();
    // There is no /run/user/987654 here, so nothing is made up.
    expect(environments).toEqual([{ XDG_RUNTIME_DIR: '/tmp' }, { A: 'b' }]);
  });

  it('prints properties in blocks, values with any character', () => {
    expect(readUnits('Id=a\nX=1=2\n\n\nId=b\njunk\n\nX=3\n')).toEqual(
      new Map([
        [
          'a',
          new Map([
            ['Id', 'a'],
            ['X', '1=2'],
          ]),
        ],
        ['b', new Map([['Id', 'b']])],
      ]),
    );
  });
});

describe('launchd, not run on macOS: the commands alone', () => {
  const AGENT = 'gui/987654/com.github.rust-works.omni-dev.daemon';
  const PLIST = '/Users/me u/Library/LaunchAgents/com.github.rust-works.omni-dev.daemon.plist';

  /** An agent that is loaded by bootstrap and unloaded by bootout. */
  function launchd(isLoaded: boolean, state = 'running') {
    return told((command) => {
      if (command.includes('bootout')) isLoaded = false;
      if (command.includes('bootstrap')) isLoaded = true;
      if (command !== `launchctl print ${AGENT}`) return ran();
      return isLoaded ? ran(`x = {\n\tstate = ${state}\n\tlast exit code = 78\n}\n`) : failed('not found');
    });
  }
  const orders = (commands: string[]) => commands.filter((command) => !command.startsWith('launchctl print'));

  it('stands by what it prints of the agent', async () => {
    expect(await serviceManager(mac, launchd(false).run).standing()).toBe('off');
    expect(await serviceManager(mac, launchd(true).run).standing()).toBe('running');
    expect(await serviceManager(mac, launchd(true, 'waiting').run).standing()).toBe('armed');
    expect(await serviceManager(mac, launchd(true).run).failure()).toBeUndefined();
    expect(await serviceManager(mac, launchd(true, 'waiting').run).failure()).toContain('last exit code: 78');
  });

  it('reads a definition anew by unloading and loading it', async () => {
    const { run, commands } = launchd(true);
    await serviceManager(mac, run).arm();
    expect(orders(commands)).toEqual([
      `launchctl bootout ${AGENT}`,
      `launchctl enable ${AGENT}`,
      `launchctl bootstrap gui/987654 ${PLIST}`,
    ]);
    expect(serviceManager(mac, run).byHand.arm).toEqual([`launchctl bootstrap gui/987654 '${PLIST}'`]);
  });

  it('kicks an agent that is loaded, and loads one that is not', async () => {
    const loaded = launchd(true);
    await serviceManager(mac, loaded.run).start();
    await serviceManager(mac, loaded.run).restart();
    expect(orders(loaded.commands)).toEqual([
      `launchctl kickstart ${AGENT}`,
      `launchctl kickstart -k ${AGENT}`,
    ]);
    const absent = launchd(false);
    await serviceManager(mac, absent.run).restart();
    expect(orders(absent.commands)).toEqual([
      `launchctl enable ${AGENT}`,
      `launchctl bootstrap gui/987654 ${PLIST}`,
    ]);
  });
});

describe('a tool', () => {
  const env = { PATH: process.env.PATH };

  it('is missing, fails with what it said on one line, or gives its output', async () => {
    expect(await runTool('omni-dev-no-such-tool', [], env)).toEqual({ is: 'missing' });
    expect(await runTool('/bin/sh', ['-c', 'echo one >&2; echo two >&2; exit 3'], env)).toEqual({
      is: 'ran',
      ok: false,
      stdout: '',
      said: 'one; two',
    });
    expect(await runTool('/bin/sh', ['-c', 'echo "$LC_ALL"'], env)).toMatchObject({
      ok: true,
      stdout: 'C\n',
    });
  });
});
