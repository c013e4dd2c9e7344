#!/usr/bin/env node
// Installs the real agents that the suites under test/real drive, at exact versions (agents.json), each in a folder of
// its own outside the tracked files: test/lab/.agents, or OMNI_DEV_LAB_DIR. What is there already is left alone.
//
//   node test/lab/install-agents.mjs [NAME...]     (without names: all of them)
//
// An agent that cannot be had is printed as "NOT RUN" and makes the exit status 1: a suite that did not run must not
// look like one that passed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const TRIES = 4;
const TRY_TIMEOUT_MS = 8 * 60_000;
const PAUSE_MS = 5_000;

const agents = JSON.parse(readFileSync(path.join(import.meta.dirname, 'agents.json'), 'utf8'));
const labDir = path.resolve(process.env.OMNI_DEV_LAB_DIR || path.join(import.meta.dirname, '.agents'));

/** Splits `@scope/name@1.2.3` into name and version. */
function parseSpec(spec) {
  const at = spec.lastIndexOf('@');
  return { name: spec.slice(0, at), version: spec.slice(at + 1) };
}

function installedVersion(dir, name) {
  try {
    return JSON.parse(readFileSync(path.join(dir, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** The command whose success proves that the agent starts. */
function probe(dir, agent) {
  if (agent.program) return [path.join(dir, agent.program), '--version'];
  if (agent.runsWith) {
    const node = path.join(labDir, agent.runsWith, agents[agent.runsWith].program);
    return [node, path.join(dir, agent.module), '--version'];
  }
  return [process.execPath, path.join(dir, agent.module), '--version'];
}

/** Why the installed files cannot be used, or undefined when they can. */
function problem(dir, agent) {
  for (const { name, version } of agent.packages.map(parseSpec)) {
    const found = installedVersion(dir, name);
    if (found !== version) return found === undefined ? `${name} is missing` : `${name} is ${found}`;
  }
  if (!existsSync(path.join(dir, agent.program ?? agent.module))) return 'its program is missing';
  const [command, ...args] = probe(dir, agent);
  // A throw-away home: an agent must not touch the user's own while it is asked for its version.
  const home = path.join(labDir, '.home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, DISABLE_AUTOUPDATER: '1', PI_OFFLINE: '1' };
  const run = spawnSync(command, args, {
    env,
    cwd: home,
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.error) return `it does not start: ${run.error.message}`;
  if (run.status !== 0)
    return `it does not start: exit ${run.status} ${String(run.stderr).trim().slice(0, 300)}`;
  return undefined;
}

function npmInstall(dir, packages) {
  rmSync(path.join(dir, 'node_modules'), { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', ...packages];
  const run = spawnSync('npm', args, {
    cwd: dir,
    timeout: TRY_TIMEOUT_MS,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.error) return run.error.message;
  return run.status === 0 ? undefined : `npm exited with ${run.status ?? run.signal}`;
}

/** Installs one agent; undefined, or why it could not be done. */
function install(name) {
  const agent = agents[name];
  if (agent === undefined) return `unknown agent (known: ${Object.keys(agents).join(', ')})`;
  const dir = path.join(labDir, name);
  let reason = problem(dir, agent);
  if (reason === undefined) {
    console.log(`${name}: already installed (${agent.packages.join(', ')})`);
    return undefined;
  }
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const began = Date.now();
    reason = npmInstall(dir, agent.packages) ?? problem(dir, agent);
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    if (reason === undefined) {
      console.log(`${name}: installed ${agent.packages.join(', ')} in ${seconds} s`);
      return undefined;
    }
    console.log(`${name}: try ${attempt} of ${TRIES} failed after ${seconds} s: ${reason}`);
    if (attempt < TRIES) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * PAUSE_MS);
  }
  return reason;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(agents);
console.log(`agents for the lab: ${labDir}`);
let missing = 0;
for (const name of wanted) {
  const reason = install(name);
  if (reason === undefined) continue;
  missing += 1;
  console.log(`NOT RUN: ${name} (${reason})`);
}
process.exitCode = missing === 0 ? 0 : 1;
