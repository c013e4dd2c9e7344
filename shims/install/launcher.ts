/** Name of the launcher in a folder of bundles. */
export const LAUNCHER = 'launch.cjs';

/** Oldest major version of Node that runs the bundles. */
export const OLDEST_NODE_MAJOR = 20;

/**
 * The first file that Node reads: `node launch.cjs PROGRAM ARGUMENTS…`. It runs the bundle beside it, and where that
 * cannot work (a Node that became too old, a bundle that is missing or cut short) it lets the agent run without us. It
 * is written in the JavaScript of 2009, because a Node that is too old has to get as far as reading the version.
 */
export const LAUNCHER_TEXT = `'use strict';
// Runs one of the programs in this folder: launch.cjs PROGRAM ARGUMENTS. Written by omni-dev.
var program = process.argv[2];
var args = process.argv.slice(3);
var bundle = require('path').join(__dirname, program + '.cjs');

function load() {
  if (parseInt(process.versions.node, 10) < ${OLDEST_NODE_MAJOR}) return null;
  try {
    var loaded = require(bundle);
    return loaded && typeof loaded.run === 'function' ? loaded : null;
  } catch (error) {
    return null;
  }
}

// A hook that fails would speak to the agent: it reads its input, says nothing and succeeds.
function silentHook() {
  process.exitCode = 0;
  process.stdin.on('error', function () {});
  process.stdin.resume();
}

function agentCommand() {
  for (var i = 0; i < args.length; i++) {
    if (args[i] === '--') return args.slice(i + 1);
    if (args[i] === '--socket') i++;
    else if (args[i].charAt(0) !== '-') return args.slice(i);
  }
  return [];
}

function withoutUs() {
  var command = agentCommand();
  if (command.length === 0) {
    console.error('omni-dev: ' + program + ' cannot run here, and there is no command to run without it');
    process.exit(1);
  }
  var numbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 };
  var child;
  ['SIGHUP', 'SIGINT', 'SIGTERM'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child = require('child_process').spawn(command[0], command.slice(1), { stdio: 'inherit' });
  child.on('error', function (error) {
    console.error('omni-dev: failed to spawn ' + command[0] + ': ' + error.message);
    process.exit(127);
  });
  child.on('exit', function (code, signal) {
    process.exit(code === null ? 128 + (numbers[signal] || 0) : code);
  });
}

var loaded = load();
if (loaded !== null) {
  process.argv.splice(1, 2, bundle);
  loaded.run(args);
} else if (program === 'hook') silentHook();
else withoutUs();
`;
