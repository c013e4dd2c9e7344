import type { CliContext } from '../../context.ts';
import { onInterrupt } from '../../stage/on-interrupt.ts';
import { PrivateDaemon } from '../../stage/private-daemon.ts';
import { SeenRows } from '../../stage/seen-rows.ts';
import { ThrowAwayHome } from '../../stage/throw-away-home.ts';
import { type Finding, problem } from '../finding.ts';
import { HookCanary } from './hook-canary.ts';
import { type CanaryPrograms, canaryPrograms } from './installed-programs.ts';
import { observerCanary } from './observer-canary.ts';
import { recordCanary } from './record-canary.ts';
import { wrapperCanary } from './wrapper-canary.ts';

/**
 * Sends made-up sessions the whole way of each feed, with the installed programs: in a throw-away home with a daemon of
 * its own, so that nobody's list, event or journal ever has one of them.
 */
export async function runCanaries(context: CliContext): Promise<Finding[]> {
  const home = new ThrowAwayHome(context.around);
  let starting: Promise<PrivateDaemon | undefined> | undefined;
  const clean = async () => {
    await (await starting)?.stop();
    home.remove();
  };
  const undo = onInterrupt(clean);
  try {
    const programs = canaryPrograms(context);
    const hook = new HookCanary(home, programs);
    const trouble = await hook.beforeDaemon();
    starting = PrivateDaemon.start({
      command: [...programs.command, 'daemon', 'run'],
      socket: home.paths.socket,
      env: home.env,
    });
    if ((await starting) === undefined) return [...(trouble === undefined ? [] : [trouble]), noDaemon()];
    return await follow(home, programs, trouble ?? hook);
  } finally {
    undo();
    await clean();
  }
}

async function follow(
  home: ThrowAwayHome,
  programs: CanaryPrograms,
  hook: HookCanary | Finding,
): Promise<Finding[]> {
  const seen = new SeenRows(home.paths.socket);
  try {
    return await Promise.all([
      hook instanceof HookCanary ? hook.withDaemon(seen) : hook,
      wrapperCanary(home, programs, seen),
      recordCanary(home, seen),
      observerCanary(home, seen),
    ]);
  } finally {
    seen.close();
  }
}

function noDaemon(): Finding {
  return problem('canary-daemon', 'no daemon comes up in an empty home', 'omni-dev daemon run   (shows why)');
}
