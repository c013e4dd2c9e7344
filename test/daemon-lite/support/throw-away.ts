import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../../contract/paths.ts';

/** A home that nobody else has, removed with {@link ThrowAwayHome.remove}. Its path is short enough for sockets. */
export class ThrowAwayHome {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-'));

  /** Surroundings of a user who lives here and has set nothing but `env`. */
  around(env: Record<string, string> = {}): Surroundings {
    return { env, platform: process.platform, home: this.dir, uid: process.getuid?.() ?? 0 };
  }

  /** Environment of a process of that user. */
  env(extra: Record<string, string> = {}): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.dir, ...extra };
  }

  path(...parts: string[]): string {
    return path.join(this.dir, ...parts);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
