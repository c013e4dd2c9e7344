import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockFolder } from '../../../agents/codex/thread-locks.ts';
import { socketPathProblem } from '../../../contract/paths.ts';
import { controlSocketPath } from '../../../daemon-lite/feeds/codex-shared-server.ts';
import { findOnPath } from '../../../shims/install/find-on-path.ts';
import { stopProcess } from '../../stage/private-daemon.ts';
import type { SeenRows } from '../../stage/seen-rows.ts';
import type { ThrowAwayHome } from '../../stage/throw-away-home.ts';
import { type Finding, ok, warning } from '../finding.ts';
import { CanaryAppServer } from './app-server.ts';

const CHECK = 'canary-observer';
const STEP_MS = 10_000;

/**
 * The way of a plain Codex session: thread lock, shared server, the daemon's observer on it, subscriber. The lock is the
 * kernel's, as Codex takes it, and Node cannot take one: where no flock(1) is, the canary stays at home.
 */
export async function observerCanary(home: ThrowAwayHome, seen: SeenRows): Promise<Finding> {
  const flock = findOnPath(home.around, 'flock');
  if (flock === undefined)
    return ok(
      CHECK,
      'not sent: there is no flock(1); omni-dev selftest --agent codex tries it with Codex itself',
    );
  const codexHome = path.join(home.home, '.codex');
  const socket = controlSocketPath(codexHome);
  if (socketPathProblem(socket) !== undefined)
    return ok(CHECK, 'not sent: the path of the temporary folder is too long for a socket');
  const id = randomUUID();
  const server = new CanaryAppServer(id, home.project);
  let holder: ChildProcess | undefined;
  try {
    await server.listen(socket);
    holder = holdLock(flock, home, path.join(lockFolder(codexHome), `${id}.lock`));
    return await follow(server, seen, id);
  } finally {
    // What holds the lock reads our end of this pipe.
    holder?.stdin?.destroy();
    if (holder !== undefined) await stopProcess(holder);
    await server.close();
  }
}

/** Holds a lock until it is stopped, or its input ends with us. */
function holdLock(flock: string, home: ThrowAwayHome, file: string): ChildProcess {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, '');
  const holder = spawn(flock, [file, '/bin/sh', '-c', 'read -r word'], {
    env: home.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  holder.on('error', () => {});
  return holder;
}

async function follow(server: CanaryAppServer, seen: SeenRows, id: string): Promise<Finding> {
  const shows = (state: string) => {
    const last = seen.of(id).at(-1);
    return last?.state === state && last.feed === 'codex_server';
  };
  if (!(await seen.until(() => shows('working'), STEP_MS))) {
    return warning(
      CHECK,
      "the server that plain codex shares is not read: its sessions don't show exactly",
      'omni-dev daemon logs   (in a container the holders of locks may be hidden: see /proc/locks)',
    );
  }
  const begin = performance.now();
  server.comesToRest();
  if (!(await seen.until(() => shows('idle'), STEP_MS)))
    return warning(CHECK, "the pushes of Codex's server do not arrive", 'omni-dev daemon logs');
  const ms = Math.round(performance.now() - begin);
  return ok(CHECK, `a thread of a server as codex shares it: daemon and subscriber follow it (${ms} ms)`);
}
