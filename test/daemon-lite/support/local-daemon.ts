import { resolvePaths } from '../../../contract/paths.ts';
import { type Log, silentLog } from '../../../daemon-lite/diagnostics/log.ts';
import { Daemon } from '../../../daemon-lite/service/daemon.ts';
import { ThrowAwayHome } from './throw-away.ts';

/** The real daemon inside the test process, in a home of its own. */
export class LocalDaemon {
  readonly home: ThrowAwayHome;
  readonly daemon: Daemon;
  readonly socket: string;

  private constructor(home: ThrowAwayHome, env: Record<string, string>, log: Log) {
    this.home = home;
    const around = home.around(env);
    const paths = resolvePaths(around, home.path('run', 'd.sock'));
    this.socket = paths.socket;
    this.daemon = new Daemon({ around, paths, log });
  }

  static async start(env: Record<string, string> = {}, log: Log = silentLog()): Promise<LocalDaemon> {
    const local = new LocalDaemon(new ThrowAwayHome(), env, log);
    await local.daemon.start();
    return local;
  }

  async remove(): Promise<void> {
    await this.daemon.stop('test');
    this.home.remove();
  }
}
