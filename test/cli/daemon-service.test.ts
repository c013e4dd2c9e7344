import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../contract/paths.ts';
import { ask } from '../daemon-lite/support/line-client.ts';
import { folderSnapshot } from '../shims/support/folder-snapshot.ts';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { removeIfEmpty } from '../support/remove-if-empty.ts';
import { until } from '../support/until.ts';
import { noUserSystemd, UserSystemd } from '../support/user-systemd.ts';

const SOCKET_UNIT = 'omni-dev-daemon.socket';
const SERVICE_UNIT = 'omni-dev-daemon.service';
const whyNot = noUserSystemd();
const eventually = (condition: () => boolean | Promise<boolean>) => until(condition, undefined, 60_000);

/** What a command said. Its text of both streams in one, its status, and its JSON where it printed any. */
interface Said {
  status: number;
  text: string;
  json(): Record<string, unknown>;
}

function omniDev(env: Record<string, string>, ...words: string[]): Promise<Said> {
  return omniDevOf(PROGRAMS_DIR, env, ...words);
}

/** Runs a command of the build in a folder. */
function omniDevOf(build: string, env: Record<string, string>, ...words: string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(build, 'omni-dev.cjs'), ...words],
      { env, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({
          status: error === null ? 0 : Number(error.code ?? 1),
          text: `${stdout}${stderr}`,
          json: () => JSON.parse(stdout) as Record<string, unknown>,
        }),
    );
  });
}

if (whyNot !== undefined) {
  describe('daemon install with the real systemd', () => {
    it(`was not run here: ${whyNot}`, () => expect(whyNot).not.toBe(''));
  });
} else {
  describe('daemon install with the real systemd', { timeout: 240_000 }, () => {
    let systemd: UserSystemd;
    let socket: string;
    const run = (...words: string[]) => omniDev(systemd.env(), ...words);
    const servedBy = async () => ((await ask(socket, { op: 'ping' })).payload as { pid: number }).pid;
    const mainPid = () => Number(systemd.property(SERVICE_UNIT, 'MainPID'));
    const unitDir = () => path.join(systemd.home, '.config/systemd/user');
    const isArmedOnly = () =>
      systemd.property(SERVICE_UNIT, 'ActiveState') !== 'active' &&
      systemd.property(SOCKET_UNIT, 'ActiveState') === 'active';

    beforeAll(async () => {
      systemd = await UserSystemd.start();
      const uid = process.getuid?.() ?? 0;
      ({ socket } = resolvePaths({ env: {}, platform: 'linux', home: systemd.home, uid }));
    });
    afterAll(() => systemd.remove());

    it('takes over from a daemon that ran by itself, with one that systemd started on its socket', async () => {
      expect((await run('daemon', 'start')).status).toBe(0);
      const before = await servedBy();
      const installed = await run('daemon', 'install');
      expect(installed.text).toContain('systemd keeps the daemon from now on');
      expect(installed.text).toContain(`daemon started (socket ${socket})`);
      expect(await servedBy()).toBe(mainPid());
      expect(mainPid()).not.toBe(before);
      expect(lstatSync(socket).mode & 0o777).toBe(0o600);
      expect((await run('daemon', 'status')).text).toContain('(systemd keeps it)');
    });

    it('has enabled the socket: systemd itself finds nothing to do', () => {
      expect(systemd.systemctl('is-enabled', SOCKET_UNIT).trim()).toBe('enabled');
      const before = folderSnapshot(unitDir());
      systemd.systemctl('enable', SOCKET_UNIT);
      expect(folderSnapshot(unitDir())).toEqual(before);
    });

    it('changes nothing the second time', async () => {
      const pid = await servedBy();
      const again = await run('daemon', 'install', '-o', 'json');
      expect(again.json()).toMatchObject({ manager: 'systemd', changed: false, armed: true, next: [] });
      expect(await servedBy()).toBe(pid);
    });

    it('keeps the socket of a daemon that was killed: the next client starts another', async () => {
      const { ino } = lstatSync(socket);
      const killed = await servedBy();
      process.kill(killed, 'SIGKILL');
      await eventually(isArmedOnly);
      const status = await run('daemon', 'status', '-o', 'json');
      expect(status.json()).toEqual({
        running: false,
        service_manager: { manager: 'systemd', standing: 'armed' },
      });
      expect(isArmedOnly()).toBe(true);
      expect((await run('sessions', 'list')).text).toBe('No active agent sessions.\n');
      expect(await servedBy()).not.toBe(killed);
      expect(lstatSync(socket).ino).toBe(ino);
    });

    it('takes a daemon’s own end for one: its socket stays, and no failure is seen', async () => {
      const { ino } = lstatSync(socket);
      await ask(socket, { op: 'shutdown' });
      await eventually(isArmedOnly);
      expect(systemd.property(SERVICE_UNIT, 'Result')).toBe('success');
      expect(lstatSync(socket).ino).toBe(ino);
      expect(await servedBy()).toBe(mainPid());
    });

    it('restarts it through systemd', async () => {
      const before = await servedBy();
      expect((await run('daemon', 'restart')).text).toBe(`daemon restarted (socket ${socket})\n`);
      expect(await servedBy()).toBe(mainPid());
      expect(mainPid()).not.toBe(before);
    });

    it('stops it for good: nothing listens until it is started again', async () => {
      expect((await run('daemon', 'stop')).text).toBe('daemon stopping\n');
      expect(existsSync(socket)).toBe(false);
      expect((await run('daemon', 'stop')).text).toBe('daemon not running\n');
      expect((await run('daemon', 'status')).text).toContain('but stopped: omni-dev daemon start');
      expect((await run('daemon', 'start')).text).toBe(`daemon started (socket ${socket})\n`);
      expect((await run('daemon', 'start')).text).toBe(`daemon already running (socket ${socket})\n`);
      expect(await servedBy()).toBe(mainPid());
    });

    it('says what to run where systemd cannot be told to stop it', async () => {
      const stopped = await omniDev(systemd.env({ XDG_RUNTIME_DIR: '/nonexistent' }), 'daemon', 'stop');
      expect(stopped.text).toBe(
        'daemon stopping\nwarning: systemd may start it again. In a login session of this user, run: ' +
          `systemctl --user stop ${SOCKET_UNIT} ${SERVICE_UNIT}\n`,
      );
      await eventually(isArmedOnly);
      expect(await servedBy()).toBe(mainPid());
    });

    it('leaves systemd out of a start where the environment says so', async () => {
      await run('daemon', 'stop');
      const off = systemd.env({ OMNI_DEV_DAEMON_DISABLE_SYSTEMD: ' Yes ' });
      expect((await omniDev(off, 'daemon', 'start')).text).toBe(`daemon started (socket ${socket})\n`);
      expect(mainPid()).toBe(0);
      const refused = await omniDev(off, 'daemon', 'install');
      expect(refused.status).toBe(1);
      expect(refused.text).toContain('OMNI_DEV_DAEMON_DISABLE_SYSTEMD is set, so nothing was installed');
      expect((await run('daemon', 'stop')).text).toBe('daemon stopping\n');
    });

    it('lets a socket unit that is started by hand replace a daemon that ran by itself', async () => {
      await eventually(() => !existsSync(socket));
      const off = systemd.env({ OMNI_DEV_DAEMON_DISABLE_SYSTEMD: '1' });
      await omniDev(off, 'daemon', 'start');
      const alone = await servedBy();
      systemd.systemctl('start', SOCKET_UNIT);
      await eventually(async () => {
        const pid = await servedBy().catch(() => alone);
        return pid !== alone && pid === mainPid();
      });
    });

    it('refuses to write or remove what somebody changed, and says how to go on', async () => {
      const unit = path.join(unitDir(), SERVICE_UNIT);
      const text = readFileSync(unit, 'utf8');
      appendFileSync(unit, 'Nice=5\n');
      for (const command of ['uninstall', 'install']) {
        const refused = await omniDev(systemd.env({ CODEX_HOME: '/elsewhere' }), 'daemon', command);
        expect(refused.status).toBe(1);
        expect(refused.text).toContain(`${unit} is not as omni-dev wrote it, so nothing was changed.`);
        expect(refused.text).toContain('Move it away and run the command again');
      }
      expect(readFileSync(unit, 'utf8')).toBe(`${text}Nice=5\n`);
      writeFileSync(unit, text);
    });

    it('leads a daemon by the variables of the shell that installed it', async () => {
      const codexHome = path.join(systemd.root, 'codex "home" $HOME 100%');
      mkdirSync(codexHome);
      await omniDev(systemd.env({ CODEX_HOME: codexHome }), 'daemon', 'install');
      const environment = readFileSync(`/proc/${await servedBy()}/environ`, 'utf8').split('\0');
      expect(environment).toContain(`CODEX_HOME=${codexHome}`);
      expect(environment.filter((line) => line.startsWith('NODE_OPTIONS='))).toEqual([]);
    });

    it('is taken out without a trace', async () => {
      const removed = await run('daemon', 'uninstall');
      expect(removed.text).toContain(`removed: ${path.join(unitDir(), SOCKET_UNIT)}`);
      expect(existsSync(path.join(systemd.home, '.config'))).toBe(false);
      expect(existsSync(socket)).toBe(false);
      expect(systemd.property(SOCKET_UNIT, 'LoadState')).toBe('not-found');
      expect((await run('daemon', 'uninstall')).text).toBe('nothing of omni-dev is in systemd\n');
    });

    it('is upgraded by a restart of another build, which systemd then runs', async () => {
      await run('daemon', 'install');
      const bundle = () => readFileSync(`/proc/${mainPid()}/cmdline`, 'utf8').split('\0')[1];
      const before = bundle();
      const other = path.join(systemd.root, 'other-build');
      cpSync(PROGRAMS_DIR, other, { recursive: true });
      appendFileSync(path.join(other, 'daemon.cjs'), '// another build\n');
      const restarted = await omniDevOf(other, systemd.env(), 'daemon', 'restart');
      expect(restarted.text).toBe(`daemon restarted (socket ${socket})\n`);
      expect(await servedBy()).toBe(mainPid());
      expect(bundle()).not.toBe(before);
      expect(bundle()).toContain(path.join(systemd.home, '.local/share/omni-dev/bundles'));
    });

    it('goes with everything else at a teardown', async () => {
      const torn = await run('teardown', '--yes');
      expect(torn).toMatchObject({ status: 0 });
      expect(torn.text).toContain(`removed ${path.join(unitDir(), SOCKET_UNIT)}`);
      expect(existsSync(path.join(systemd.home, '.config'))).toBe(false);
      expect(systemd.property(SERVICE_UNIT, 'LoadState')).toBe('not-found');
    });

    it.each([
      ['any characters', `da ta %h $HOME "q" 'ü`],
      ['a name so long that the socket is elsewhere', 'l'.repeat(100)],
    ])('works from a data directory with %s', async (_what, name) => {
      const env = systemd.env({ XDG_DATA_HOME: path.join(systemd.root, name) });
      const uid = process.getuid?.() ?? 0;
      const paths = resolvePaths({ env, platform: 'linux', home: systemd.home, uid });
      expect((await omniDev(env, 'daemon', 'install')).text).toContain('daemon started');
      const { payload } = await ask(paths.socket, { op: 'ping' });
      expect(payload).toMatchObject({ pid: mainPid() });
      expect(existsSync(paths.journalsDir)).toBe(true);
      expect((await omniDev(env, 'daemon', 'uninstall')).status).toBe(0);
      expect(existsSync(paths.socket)).toBe(false);
      if (paths.socketIsFallback) removeIfEmpty(path.dirname(paths.socket));
      expect(existsSync(path.join(systemd.home, '.config'))).toBe(false);
    });
  });
}
