import type { Surroundings } from '../../contract/paths.ts';
import { isSwitchedOn } from '../../contract/switch.ts';

/** The contract's variable that keeps systemd out of it. */
export function isSystemdSwitchedOff({ env, platform }: Surroundings): boolean {
  return platform === 'linux' && isSwitchedOn(env.OMNI_DEV_DAEMON_DISABLE_SYSTEMD);
}
