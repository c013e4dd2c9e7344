import { isatty } from 'node:tty';
import { resolvePaths } from '../../contract/paths.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { autostartIsOff, sendAndStartWhenAbsent, startDaemon } from '../shared/daemon-start.ts';
import { leaveStderrAlone } from '../shared/own-stderr.ts';
import { wantsPty } from '../shared/pty-choice.ts';
import { say } from '../shared/spawn-failure.ts';
import { decide, parseInvocation, USAGE } from './invocation.ts';
import { passThrough } from './pass-through.ts';
import { SessionReports } from './session-reports.ts';
import { wrap } from './wrap.ts';

/**
 * `omni-dev codex-wrap`: runs codex with an app-server of its own and reports what that server says of its sessions.
 *
 * @param argv the arguments after `codex-wrap`
 */
export async function run(argv: readonly string[]): Promise<void> {
  const invocation = parseInvocation(argv);
  if (invocation === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  if ('usage' in invocation) {
    say(invocation.usage);
    process.exitCode = 2;
    return;
  }
  const decision = decide(invocation, isatty(0) && isatty(1));
  if (decision.kind === 'pass') {
    passThrough(invocation.command, invocation.args);
    return;
  }
  leaveStderrAlone();
  const around = currentSurroundings();
  const paths = resolvePaths(around, invocation.socket);
  const start = () => startDaemon(programDir(), invocation.socket);
  const reports = new SessionReports({
    socket: paths.socket,
    ...(autostartIsOff(around.env) ? {} : { send: sendAndStartWhenAbsent(start) }),
  });
  const onPty = wantsPty(invocation.pty, around.home);
  await wrap({ invocation, decision, runtimeDir: paths.runtimeDir, uid: around.uid, reports, onPty });
}

/** The folder of the built program; the sources have none, and start no daemon. */
function programDir(): string {
  return typeof __dirname === 'string' ? __dirname : '/nonexistent';
}

// The bundle is also loaded by the command line, which calls `run` itself.
if (typeof require === 'function' && typeof module === 'object' && require.main === module) {
  void run(process.argv.slice(2));
}
