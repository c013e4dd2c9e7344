#!/usr/bin/env node
// Installs what the suite under test/vscode drives: code-server (the VS Code workbench as a server), playwright-core
// and a Chromium. Everything but the browser goes to test/lab/.agents, or OMNI_DEV_LAB_DIR. What is there is left alone.
//
//   node test/lab/install-workbench.mjs
//
// What cannot be had is printed as "NOT RUN" and makes the exit status 1.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { workbenchPrograms } from './workbench-programs.mjs';

const STEP_TIMEOUT_MS = 9 * 60_000;
const programs = workbenchPrograms();

/** Runs one command; throws with the end of its output when it fails. */
function run(command, args, options = {}) {
  const done = spawnSync(command, args, {
    timeout: STEP_TIMEOUT_MS,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    ...options,
  });
  if (done.error) throw done.error;
  if (done.status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${`${done.stdout}${done.stderr}`.slice(-800)}`);
}

function emptyPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
}

const QUIET = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

function installNode24() {
  run(process.execPath, [path.join(import.meta.dirname, 'install-agents.mjs'), 'node24']);
}

/**
 * Scripts are left out and the two add-ons that matter are compiled: the package's own postinstall takes twice as long
 * and needs Kerberos headers.
 */
function installCodeServer() {
  const { node24Home, codeServerDir, codeServerPackage } = programs;
  // npm_config_nodedir: a setting of the user would otherwise compile against another Node's headers.
  const env = {
    ...process.env,
    PATH: `${node24Home}/bin:${process.env.PATH}`,
    npm_config_nodedir: node24Home,
  };
  emptyPackage(codeServerDir);
  run('npm', ['install', '--ignore-scripts', ...QUIET, codeServerPackage], { cwd: codeServerDir, env });
  const workbench = path.join(codeServerDir, 'node_modules/code-server/lib/vscode');
  for (const cwd of [workbench, path.join(workbench, 'extensions')]) {
    run('npm', ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, env });
  }
  run('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], { cwd: workbench, env });
  writeFileSync(programs.codeServerMark, '');
}

function installPlaywright() {
  emptyPackage(programs.playwrightDir);
  run('npm', ['install', ...QUIET, programs.playwrightPackage], { cwd: programs.playwrightDir });
}

function installChromium() {
  run('apt-get', ['update']);
  run('apt-get', ['install', '-y', 'chromium', 'fonts-dejavu-core']);
}

const steps = [
  { name: 'node24', present: () => existsSync(programs.node24), install: installNode24 },
  { name: 'code-server', present: () => existsSync(programs.codeServerMark), install: installCodeServer },
  { name: 'playwright-core', present: () => existsSync(programs.playwright), install: installPlaywright },
  { name: 'chromium', present: () => workbenchPrograms().chromium !== undefined, install: installChromium },
];

for (const { name, present, install } of steps) {
  if (present()) {
    console.log(`${name}: already installed`);
    continue;
  }
  const began = Date.now();
  try {
    install();
    if (!present()) throw new Error('it was installed, but its program was not found');
    console.log(`${name}: installed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  } catch (error) {
    console.log(`NOT RUN: the workbench suite needs ${name}: ${error.message}`);
    process.exitCode = 1;
    break;
  }
}
