import { LAUNCHER } from './launcher.ts';
import { NODE_PLACES, type NodePlaces } from './node-places.ts';
import { singleQuoted } from './shell-quote.ts';

/** What the command shim has to know of an installation. All paths are absolute. */
export interface CommandShimTargets {
  version: string;
  /** The Node that was checked when the shim was written. */
  node: string;
  /** Folder of the bundles. */
  programs: string;
  /** The command line of the installation the shim was written by. */
  cli: string;
  /** Where else to look for a Node. */
  places?: NodePlaces;
}

/**
 * The command that installed hooks run, and that knows every other command too. A hook, a wrapper and the daemon run
 * from the copies; the rest from the installation itself while it is there, else from its copy.
 *
 * Its variables have names of their own, because the shell would pass a changed one of the environment on to the agent.
 * The way of a hook through the script is short: no process is started before Node replaces the shell.
 */
export function commandShimText(targets: CommandShimTargets): string {
  const { version, node, programs, cli, places = NODE_PLACES } = targets;
  return `#!/bin/sh
# omni-dev ${version}. Written by omni-dev; an upgrade rewrites it, so changes are lost.
omni_dev_node=${singleQuoted(node)}
omni_dev_programs=${singleQuoted(programs)}
omni_dev_cli=${singleQuoted(cli)}

is_program() {
  [ -f "$1" ] && [ -x "$1" ]
}

# A Node of version 20 or newer, by its own word. "true" keeps the shell that waits for it quiet when it is killed.
is_usable() {
  is_program "$1" || return 1
  case $(exec 2>/dev/null </dev/null; "$1" --version; true) in
    v[2-9][0-9].* | v[1-9][0-9][0-9].*) omni_dev_node=$1 ;;
    *) return 1 ;;
  esac
}

# The last of some paths whose version folder is new enough. Names sort as versions do from 10 on.
is_newest_usable() {
  omni_dev_newest=
  for omni_dev_place; do
    case $omni_dev_place in
      */v[2-9][0-9].*/* | */[2-9][0-9].*/*) omni_dev_newest=$omni_dev_place ;;
    esac
  done
  [ -n "$omni_dev_newest" ] && is_usable "$omni_dev_newest"
}

# The Node of the installation is gone: look for another one.
find_node() {
  is_usable "$(command -v node 2>/dev/null)" && return
  for omni_dev_place in ${places.fixed.join(' ')}; do
    is_usable "$omni_dev_place" && return
  done
${places.versioned.map((pattern) => `  is_newest_usable ${pattern} && return`).join('\n')}
  for omni_dev_place in ${places.ofEditors.join(' ')}; do
    is_usable "$omni_dev_place" && return
  done
  return 1
}

has_node() {
  is_program "$omni_dev_node" || find_node
}

# start PROGRAM ARGUMENTS: becomes the program, or returns when that cannot work.
start() {
  [ -r "$omni_dev_programs/${LAUNCHER}" ] && [ -r "$omni_dev_programs/$1.cjs" ] && has_node || return
  exec "$omni_dev_node" "$omni_dev_programs/${LAUNCHER}" "$@"
}

wants_help() {
  [ "$1" = --help ] || [ "$1" = -h ]
}

if [ "$1" = sessions ] && [ "$2" = hook ] && ! wants_help "$3"; then
  shift 2
  # They are meant for omni_dev_programs of the user, cost time, and may break ours.
  unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
  start hook "$@"
  [ -t 0 ] || cat >/dev/null 2>&1
  exit 0
fi

if [ "$1" = daemon ] && [ "$2" = run ] && ! wants_help "$3"; then
  shift 2
  start daemon "$@"
  set -- daemon run "$@"
fi

case $1 in
  claude-wrap | codex-wrap)
    if ! wants_help "$2"; then
      start "$@"
      # Without us: the agent's own command stands behind our options.
      shift
      while [ $# -gt 0 ]; do
        case $1 in
          --) shift && break ;;
          --socket) shift && [ $# -gt 0 ] && shift ;;
          -*) shift ;;
          *) break ;;
        esac
      done
      [ $# -gt 0 ] && exec "$@"
      echo 'omni-dev: no command to run' >&2
      exit 1
    fi
    ;;
esac

if ! has_node; then
  echo 'omni-dev: no Node.js of version 20 or newer found. Install one and run the command again.' >&2
  exit 127
fi
[ -r "$omni_dev_cli" ] && exec "$omni_dev_node" "$omni_dev_cli" "$@"
[ -r "$omni_dev_programs/omni-dev.cjs" ] && exec "$omni_dev_node" "$omni_dev_programs/omni-dev.cjs" "$@"
echo "omni-dev: the installation this command belongs to is gone ($omni_dev_cli)." >&2
echo 'Install omni-dev again and run: omni-dev setup' >&2
exit 127
`;
}

/** Text of the first comment, by which a shim of ours is known whatever its version. */
export function isCommandShim(text: string): boolean {
  return /^#!\/bin\/sh\n# omni-dev [^\n]*Written by omni-dev;/.test(text);
}
