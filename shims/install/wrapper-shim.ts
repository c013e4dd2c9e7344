import { LAUNCHER } from './launcher.ts';
import { doubleQuoted } from './shell-quote.ts';

/** What the shims have to know of an installation. All paths are absolute. */
export interface ShimTargets {
  /** The Node that was checked when the shims were written. */
  node: string;
  /** Folder of the bundles. */
  programs: string;
  /** The shim that hooks run; it knows where else to look for a Node. */
  commandShim: string;
}

/**
 * What the shim does, as one line for `sh -c`. Its arguments are Node, folder and command shim, then what is run:
 * `claude-wrap -- COMMAND…`. In a terminal the command takes the shim's place at once: there is nothing to read there.
 * Whatever is missing, the command runs. The variables have names of their own, because the
 * shell would pass a changed one of the environment on to the agent.
 */
const PROGRAM = [
  'omni_dev_n=$1 omni_dev_p=$2 omni_dev_c=$3',
  'shift 3',
  '[ -t 1 ] && shift 2 && exec "$@"',
  '[ -f "$omni_dev_n" ] && [ -x "$omni_dev_n" ]' +
    ` && [ -r "$omni_dev_p/${LAUNCHER}" ] && [ -r "$omni_dev_p/$1.cjs" ]` +
    ` && exec "$omni_dev_n" "$omni_dev_p/${LAUNCHER}" "$@"`,
  '[ -f "$omni_dev_c" ] && [ -x "$omni_dev_c" ] && exec "$omni_dev_c" "$@"',
  'shift 2',
  'exec "$@"',
].join('; ');

/**
 * The executable that an editor spawns in place of `claude`, without a shell: `<shim> <real command> <arguments>`. Two
 * lines in the form that the sessions service's contract fixes for this file.
 */
export function wrapperShimText({ node, programs, commandShim }: ShimTargets): string {
  const own = [node, programs, commandShim].map(doubleQuoted).join(' ');
  return `#!/bin/sh\nexec "/bin/sh" -c '${PROGRAM}' omni-dev ${own} claude-wrap -- "$@"\n`;
}

/** True for a file that an omni-dev wrote as its wrapper shim (ours, or the older system's). */
export function isWrapperShim(text: string): boolean {
  return /^#!\/bin\/sh\nexec "\/.*" claude-wrap -- "\$@"\n$/.test(text);
}
