import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodeOf } from '../shared/exit-status.ts';
import { say } from '../shared/spawn-failure.ts';
import { farewell } from './farewell.ts';
import type { Decision, Invocation } from './invocation.ts';
import { removeLeavings } from './leavings.ts';
import { Observing } from './observing.ts';
import { passThrough } from './pass-through.ts';
import { PrivateServer } from './private-server.ts';
import type { SessionReports } from './session-reports.ts';
import { ShownModel } from './shown-model.ts';
import {
  isThere,
  removeSocketDirectory,
  removeSocketFiles,
  socketDirectory,
  socketName,
} from './socket-files.ts';
import { type InterfaceEnd, TerminalInterface } from './terminal-interface.ts';
import { TerminalModes } from './terminal-modes.ts';
import { titlePrefix, titlesAreOff } from './title-prefix.ts';

/** Longest time the daemon may take to hear that the sessions ended. */
const LAST_REPORT_MS = 1_500;
/** What killed wrappers left is looked for when the interface is up. */
const LEAVINGS_AFTER_MS = 2_000;
/** An interface that fails sooner than this, before it had a session, never worked on our server. */
const FAILED_START_MS = 5_000;

export interface WrapOptions {
  invocation: Invocation;
  decision: Extract<Decision, { kind: 'wrap' }>;
  /** Our directory for run-time files. */
  runtimeDir: string;
  uid: number;
  reports: SessionReports;
  /** Stand between the user's terminal and the interface. */
  onPty: boolean;
}

/**
 * Runs codex's terminal interface on an app-server of its own, observes that server, and leaves with the interface's
 * status. Whatever does not work on the way there ends in codex as it would run without us.
 */
export async function wrap(options: WrapOptions): Promise<void> {
  const { command, args } = options.invocation;
  const terminal = new TerminalInterface();
  const place = startServer(options);
  if (place === undefined) return passThrough(command, args);
  const { server, socketPath } = place;
  const modes = new TerminalModes();
  const ready = await Promise.race([server.ready(), terminal.stopped]);
  if (typeof ready === 'string') {
    await server.stop();
    place.clean();
    process.exit(exitCodeOf({ code: null, signal: ready }));
  }
  if (!ready) {
    void server.stop().then(place.clean);
    return passThrough(command, args);
  }

  const shown = new ShownModel();
  const observing = new Observing(server, options.reports, (reading) => shown.take(reading));
  const leavings = new LeavingsLater(path.dirname(socketPath), options.uid);
  const interfaceArgs = ['--remote', `unix://${socketPath}`, ...args];
  const end =
    (await runOnPty(options, terminal, interfaceArgs, shown)) ??
    (await terminal.start(command, interfaceArgs));

  const sessions = options.reports.live;
  const neverWorked = isFailedStart(end, options.decision) && !observing.hasSeenSessions;
  observing.close();
  if (end.signal !== null) await modes.restore();
  const stopping = Promise.allSettled([
    options.reports.close('interface_exited', LAST_REPORT_MS),
    server.stop().then(place.clean),
    leavings.finish(),
  ]);
  if (neverWorked) return passThrough(command, args);
  await stopping;
  const words = end.signal === null ? farewell(sessions, command) : undefined;
  if (words !== undefined) say(words);
  process.exit(end.exitCode);
}

/** Runs the interface on a pseudo-terminal; undefined when nobody wants that, or it cannot be done here. */
async function runOnPty(
  { invocation, onPty, reports }: WrapOptions,
  terminal: TerminalInterface,
  args: string[],
  shown: ShownModel,
): Promise<InterfaceEnd | undefined> {
  if (!onPty) return undefined;
  const { PtySession } = await import('../pty/session.ts');
  const session = PtySession.start({
    command: [invocation.command, ...args],
    wrapper: 'codex-wrap',
    verbose: invocation.verbose,
    titlePrefix: titlesAreOff(process.env) ? undefined : titlePrefix,
  });
  if (session === undefined) return undefined;
  // The server says the same and more; what the interface tells its terminal passes, and is only read.
  return terminal.entrust(() => {
    const ended = session.run(({ unknownWords }) => reports.setUnknownWords(unknownWords));
    shown.tell((model) => session.setModel(model));
    return ended;
  });
}

interface ServerPlace {
  server: PrivateServer;
  socketPath: string;
  /** Removes what the server may have left. */
  clean(): void;
}

function startServer({ invocation, runtimeDir, uid }: WrapOptions): ServerPlace | undefined {
  try {
    const directory = socketDirectory(runtimeDir, uid);
    const socketPath = path.join(directory, socketName(process.pid));
    const clean = () => {
      removeSocketFiles(socketPath, uid);
      removeSocketDirectory(directory, runtimeDir);
    };
    // A killed wrapper of the same pid may have left its own.
    if (isThere(socketPath)) removeSocketFiles(socketPath, uid);
    return { server: new PrivateServer(invocation.command, socketPath, uid), socketPath, clean };
  } catch {
    return undefined;
  }
}

/** True when the interface may simply not know what it was asked to do on a server: then codex alone is asked. */
function isFailedStart(end: InterfaceEnd, decision: WrapOptions['decision']): boolean {
  if (end.failed) return true;
  if (end.ranMs > FAILED_START_MS) return false;
  // 2 is a wrong command line, 1 any other failure: a word that is no command there, a server that went away.
  return end.code === 2 || (end.code === 1 && decision.mayBeCommand);
}

/** Cleans up after killed wrappers, off the launch path, once. */
class LeavingsLater {
  readonly #directory: string;
  readonly #uid: number;
  readonly #now = new AbortController();
  readonly #done: Promise<void>;

  constructor(directory: string, uid: number) {
    this.#directory = directory;
    this.#uid = uid;
    this.#done = this.#run();
  }

  /** Does it now if it has not been done, and resolves when it is. */
  finish(): Promise<void> {
    this.#now.abort();
    return this.#done;
  }

  async #run(): Promise<void> {
    await sleep(LEAVINGS_AFTER_MS, undefined, { signal: this.#now.signal, ref: false }).catch(() => {});
    await removeLeavings(this.#directory, this.#uid);
  }
}
