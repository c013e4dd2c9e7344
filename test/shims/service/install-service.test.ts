import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type InstallServiceOptions,
  installService,
  uninstallService,
} from '../../../shims/service/install-service.ts';
import type { Reach, ServiceManager, Standing } from '../../../shims/service/service-manager.ts';
import { readServiceRecord, serviceRecordPath } from '../../../shims/service/service-record.ts';
import { fakeBuild } from '../support/fake-build.ts';
import { folderSnapshot } from '../support/folder-snapshot.ts';
import { type ThrowAwayHome, throwAwayHome } from '../support/home.ts';

/** A service manager that notes what it was told. */
class NotingManager implements ServiceManager {
  readonly name = 'systemd';
  readonly inspect = 'look';
  readonly byHand = { arm: ['arm it'], stop: ['stop it'], forget: ['forget it'] };
  readonly told: string[] = [];
  isReached: Reach = { is: 'here' };
  stands: Standing = 'off';

  reach(): Promise<Reach> {
    return Promise.resolve(this.isReached);
  }
  standing(): Promise<Standing> {
    return Promise.resolve(this.stands);
  }
  failure(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  arm = () => this.#note('arm', 'armed');
  start = () => this.#note('start', 'running');
  stop = () => this.#note('stop', 'off');
  restart = () => this.#note('restart', 'running');
  forget = () => this.#note('forget', 'off');

  #note(word: string, stands: Standing): Promise<void> {
    this.told.push(word);
    this.stands = stands;
    return Promise.resolve();
  }
}

let user: ThrowAwayHome;
let manager: NotingManager;
let build: string;
beforeEach(() => {
  user = throwAwayHome();
  manager = new NotingManager();
  build = fakeBuild().folder;
});

function options(more: Partial<InstallServiceOptions> = {}): InstallServiceOptions {
  const { around, paths } = user;
  const makeWay = async () => void manager.told.push('make way');
  return { around, paths, manager, dryRun: false, builtIn: build, makeWay, ...more };
}

const unitDir = () => path.join(user.home, '.config/systemd/user');
const socketUnit = () => path.join(unitDir(), 'omni-dev-daemon.socket');
const configSnapshot = () => folderSnapshot(path.join(user.home, '.config'));

describe('installing the service', () => {
  it('writes its files, then has the manager keep the daemon, after one that ran by itself made way', async () => {
    const done = await installService(options());
    expect(done).toMatchObject({ changed: true, armed: true, next: [] });
    expect(done.files.map(({ change }) => change)).toEqual(['create', 'create', 'create']);
    expect(manager.told).toEqual(['make way', 'arm']);
    expect(existsSync(user.paths.commandShim)).toBe(true);
    expect(readServiceRecord(user.paths)?.socket).toBe(user.paths.socket);
  });

  it('does nothing the second time', async () => {
    await installService(options());
    const before = folderSnapshot(user.home);
    manager.told.length = 0;
    expect(await installService(options())).toMatchObject({ changed: false, armed: true });
    expect(manager.told).toEqual([]);
    expect(folderSnapshot(user.home)).toEqual(before);
  });

  it('tells what it would write, and writes nothing, in a dry run', async () => {
    const before = folderSnapshot(user.home);
    const plan = await installService(options({ dryRun: true }));
    expect(plan).toMatchObject({ changed: false, armed: false });
    expect(plan.wanted).toHaveLength(3);
    expect(manager.told).toEqual([]);
    expect(folderSnapshot(user.home)).toEqual(before);
  });

  it('rewrites what it wrote for other surroundings, and starts the daemon anew', async () => {
    await installService(options());
    manager.told.length = 0;
    const around = { ...user.around, env: { CODEX_HOME: '/c' } };
    const done = await installService(options({ around }));
    expect(done.files.map(({ change }) => change)).toEqual(['rewrite', 'nothing', 'nothing']);
    expect(manager.told).toEqual(['stop', 'arm']);
  });

  it('says what to run where the manager cannot be told from here', async () => {
    manager.isReached = { is: 'unreachable', why: 'no bus' };
    const done = await installService(options());
    expect(done).toMatchObject({ changed: true, armed: false, next: ['arm it'], unreachable: 'no bus' });
    expect(existsSync(socketUnit())).toBe(true);
    expect(manager.told).toEqual([]);
  });

  it('writes nothing where there is no such manager, and says what can be done', async () => {
    manager.isReached = { is: 'missing' };
    const before = folderSnapshot(user.home);
    await expect(installService(options())).rejects.toThrow(
      `there is no systemd on this system, so nothing was installed. Commands and wrappers start the daemon when they need it; to have it always, let your own service manager run: ${user.paths.commandShim} daemon run`,
    );
    expect(folderSnapshot(user.home)).toEqual(before);
  });

  it.each(['1', 'true', ' YES ', 'On'])(
    'is switched off by OMNI_DEV_DAEMON_DISABLE_SYSTEMD=%s',
    async (value) => {
      const around = { ...user.around, env: { OMNI_DEV_DAEMON_DISABLE_SYSTEMD: value } };
      await expect(installService(options({ around }))).rejects.toMatchObject({
        code: 'SERVICE_SWITCHED_OFF',
      });
      expect(existsSync(unitDir())).toBe(false);
    },
  );

  it.each<[string, (file: string) => void]>([
    ['a unit of somebody else', (file) => writeFileSync(file, '[Socket]\nListenStream=/x\n')],
    ['a link', (file) => symlinkSync('/dev/null', file)],
    ['a folder', (file) => mkdirSync(file)],
  ])('refuses %s in the place of ours, and writes nothing', async (_what, put) => {
    mkdirSync(unitDir(), { recursive: true });
    put(socketUnit());
    const before = folderSnapshot(user.home);
    const plan = await installService(options({ dryRun: true }));
    expect(plan.files[1]).toEqual({ file: socketUnit(), change: 'refused' });
    await expect(installService(options())).rejects.toThrow(`${socketUnit()} is not as omni-dev wrote it`);
    await uninstallService(options());
    expect(folderSnapshot(user.home)).toEqual(before);
    expect(manager.told).toEqual([]);
  });

  it('names the file that cannot be written, and the fix', async () => {
    if (process.getuid?.() === 0)
      return expect(writeToFileAsFolder()).rejects.toThrow(/cannot write .*ENOTDIR/);
    mkdirSync(unitDir(), { recursive: true });
    chmodSync(unitDir(), 0o500);
    await expect(installService(options())).rejects.toThrow(
      /cannot write .*EACCES.*Make its folder writable/,
    );
  });

  /** Root may write anywhere, but nowhere below a file. */
  function writeToFileAsFolder() {
    mkdirSync(path.join(user.home, '.config'));
    writeFileSync(path.join(user.home, '.config/systemd'), '');
    return installService(options());
  }
});

describe('taking the service out', () => {
  it.each<[string, () => void]>([
    ['no folder before', () => mkdirSync(path.join(user.home, '.config'))],
    ['units of the user beside it', () => putUnit('mine.service')],
    [
      'a folder of enabled sockets',
      () => mkdirSync(path.join(unitDir(), 'sockets.target.wants'), { recursive: true }),
    ],
  ])('leaves everything as it was, with %s', async (_what, prepare) => {
    prepare();
    const before = configSnapshot();
    await installService(options());
    await installService(options({ around: { ...user.around, env: { CODEX_HOME: '/c' } } }));
    manager.stands = 'running';
    manager.told.length = 0;
    const done = await uninstallService(options());
    expect(done.files).toHaveLength(3);
    expect(manager.told).toEqual(['stop', 'forget']);
    expect(configSnapshot()).toEqual(before);
    expect(existsSync(serviceRecordPath(user.paths))).toBe(false);
  });

  it('leaves all of it where somebody changed a file of it', async () => {
    await installService(options());
    appendFileSync(socketUnit(), 'Backlog=5\n');
    manager.told.length = 0;
    const before = folderSnapshot(user.home);
    await expect(uninstallService(options())).rejects.toMatchObject({ code: 'SERVICE_FILE_FOREIGN' });
    expect(folderSnapshot(user.home)).toEqual(before);
    expect(manager.told).toEqual([]);
  });

  it('finds what it would write also without its record', async () => {
    await installService(options());
    writeFileSync(serviceRecordPath(user.paths), 'torn');
    await uninstallService(options());
    expect(existsSync(socketUnit())).toBe(false);
  });

  it('only tells in a dry run', async () => {
    await installService(options());
    const text = readFileSync(socketUnit(), 'utf8');
    const plan = await uninstallService(options({ dryRun: true }));
    expect(plan).toMatchObject({ changed: false, files: [{}, {}, {}] });
    expect(readFileSync(socketUnit(), 'utf8')).toBe(text);
  });

  it('removes the files and says what to run where the manager cannot be told from here', async () => {
    await installService(options());
    manager.isReached = { is: 'unreachable', why: 'no bus' };
    const done = await uninstallService(options());
    expect(done).toMatchObject({ changed: true, next: ['stop it', 'forget it'], unreachable: 'no bus' });
    expect(existsSync(socketUnit())).toBe(false);
  });

  it('is content when there is nothing', async () => {
    expect(await uninstallService(options())).toMatchObject({ changed: false, files: [] });
  });
});

function putUnit(name: string): void {
  mkdirSync(unitDir(), { recursive: true });
  writeFileSync(path.join(unitDir(), name), '[Unit]\n');
}
