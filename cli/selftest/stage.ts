import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { installHooks } from '../../shims/hooks/install-hooks.ts';
import { installPrograms } from '../../shims/install/install-programs.ts';
import type { CliContext } from '../context.ts';
import { PrivateDaemon } from '../stage/private-daemon.ts';
import { SeenRows } from '../stage/seen-rows.ts';
import { ThrowAwayHome } from '../stage/throw-away-home.ts';

/** A throw-away home with everything of ours in it, as an installation puts it there, and a daemon that runs. */
export class SelftestStage {
  readonly home: ThrowAwayHome;
  readonly seen: SeenRows;
  readonly #daemon: PrivateDaemon;
  readonly #actors: { stop(): Promise<void> }[] = [];

  /** Folder of this build's programs. */
  readonly programsDir: string;

  private constructor(home: ThrowAwayHome, daemon: PrivateDaemon, programsDir: string) {
    this.home = home;
    this.programsDir = programsDir;
    this.#daemon = daemon;
    this.seen = new SeenRows(home.paths.socket);
  }

  /** @throws OmniDevError STAGE_FAILED when no daemon comes up; whatever an installation throws */
  static async open(context: CliContext): Promise<SelftestStage> {
    const home = new ThrowAwayHome(context.around);
    try {
      const { paths, around, env } = home;
      const builtIn = context.programsDir;
      installPrograms({ paths, builtIn, wrapperShim: paths.wrapperShim, searchPath: env.PATH ?? '' });
      await installHooks({ paths, around, builtIn, codexHome: path.join(home.home, '.codex') });
      const command = [paths.commandShim, 'daemon', 'run'] as const;
      const daemon = await PrivateDaemon.start({ command, socket: paths.socket, env });
      if (daemon !== undefined) return new SelftestStage(home, daemon, builtIn);
      throw new OmniDevError('STAGE_FAILED', `a daemon in a throw-away home did not start: ${paths.socket}`);
    } catch (error) {
      home.remove();
      throw error;
    }
  }

  /** Writes a file of the home, by its path in it. */
  write(file: string, text: string): void {
    writeFileSync(path.join(this.home.home, file), text, { mode: 0o600 });
  }

  /** Stops an actor with the stage, if nobody has before. */
  add(actor: { stop(): Promise<void> }): void {
    this.#actors.push(actor);
  }

  /** Ends everything and removes the home. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#actors.map((actor) => actor.stop()));
    this.seen.close();
    await this.#daemon.stop();
    this.home.remove();
  }
}
