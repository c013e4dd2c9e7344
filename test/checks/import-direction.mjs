#!/usr/bin/env node
// Holds the direction of imports between the rooms:
//
//   cli -> (wrappers, sink, daemon-lite, shims, catalog) -> agents -> contract
//
//   node test/checks/import-direction.mjs [ROOT]
//
// A reader that understands no TypeScript reports success over nothing, so this also fails when fewer modules were
// read than there are source files.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cruise as cruiseWithTypeScript } from 'dependency-cruiser';

const ROOMS = ['contract', 'agents', 'wrappers', 'sink', 'daemon-lite', 'shims', 'catalog', 'cli', 'editors'];
/** Rooms of equal height: none of them imports another. */
const MIDDLE = ['wrappers', 'sink', 'daemon-lite', 'shims', 'catalog'];
/** What both wrappers share knows neither of them, and they do not know each other. */
const WRAPPERS = [
  { folder: 'wrappers/shared', not: 'claude|codex|pty' },
  { folder: 'wrappers/pty', not: 'claude|codex' },
  { folder: 'wrappers/claude', not: 'codex' },
  { folder: 'wrappers/codex', not: 'claude' },
];
const SOURCE = /\.[cm]?tsx?$/;
const NPM = 'node_modules/';
/** Start-up paths: one file each, without a dependency to load. The terminal's optional module is loaded late. */
const HOT = '^(sink|wrappers/(claude|pty|shared))/';
const LOADED_LATE = 'node_modules/@lydell/node-pty/';
const IO_MODULES =
  '^(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|cluster|worker_threads|os)(/|$)';

const inRooms = (names) => `^(${names.join('|')})/`;
const allBut = (...names) => inRooms(ROOMS.filter((room) => !names.includes(room)));

/** `room` may import these rooms of the project and no other. */
function mayImport(room, ...allowed) {
  return {
    name: `${room}-imports-${allowed.length === 0 ? 'nobody' : `only-${allowed.join('-and-')}`}`,
    severity: 'error',
    from: { path: `^${room}/` },
    to: { path: allBut(room, ...allowed) },
  };
}

const RULES = [
  mayImport('contract'),
  mayImport('agents', 'contract'),
  ...MIDDLE.map((room) => mayImport(room, 'agents', 'contract')),
  ...WRAPPERS.map(({ folder, not }) => ({
    name: `${folder.replace('/', '-')}-stands-below`,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path: `^wrappers/(${not})/` },
  })),
  mayImport('cli', ...MIDDLE, 'agents', 'contract'),
  mayImport('editors', 'contract'),
  {
    name: 'nobody-imports-tests',
    severity: 'error',
    from: { path: inRooms(ROOMS) },
    to: { path: '^test/' },
  },
  {
    name: 'hot-path-reaches-no-package',
    severity: 'error',
    from: { path: HOT },
    to: { path: NPM, pathNot: LOADED_LATE, reachable: true },
  },
  {
    name: 'hot-path-reaches-no-schema',
    severity: 'error',
    from: { path: HOT },
    to: { path: '^contract/schema/', reachable: true },
  },
  {
    name: 'contract-outside-schema-needs-no-package',
    severity: 'error',
    from: { path: '^contract/', pathNot: '^contract/schema/' },
    to: { path: [NPM, '^contract/schema/'] },
  },
  {
    name: 'registry-imports-no-node-module',
    severity: 'error',
    from: { path: '^daemon-lite/registry/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'registry-reaches-no-io',
    severity: 'error',
    from: { path: '^daemon-lite/registry/' },
    to: { path: [IO_MODULES, NPM], reachable: true },
  },
  {
    name: 'every-import-resolves',
    severity: 'error',
    from: { path: inRooms(ROOMS) },
    // What is there only in an editor, only where it was installed, or only after the build.
    to: { couldNotResolve: true, pathNot: '^(vscode|@lydell/node-pty|\\./[a-z-]+\\.cjs)$' },
  },
];

/** Source files of the rooms below `root`, relative to it. */
function sourceFiles(root) {
  return ROOMS.filter((room) => existsSync(path.join(root, room))).flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file)),
  );
}

/**
 * Reads the rooms below `root` and returns one line per problem, with the number of source files and of modules read.
 * `cruise` is replaced in tests.
 */
export async function checkImportDirection(root, cruise = cruiseWithTypeScript) {
  const files = sourceFiles(root);
  if (files.length === 0) return { files: 0, read: 0, problems: [`no source file found below ${root}`] };
  const { output } = await cruise(files, {
    baseDir: root,
    ruleSet: { forbidden: RULES },
    validate: true,
    // Types count too: a room that needs another's types is not apart from it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.mjs', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  });
  const modules = new Set(output.modules.map((module) => module.source));
  const unread = files.filter((file) => !modules.has(file));
  const problems = unread.map((file) => `not read: ${file}`);
  for (const { rule, from, to } of output.summary.violations) {
    problems.push(`${rule.name}: ${from} -> ${to}`);
  }
  return { files: files.length, read: files.length - unread.length, problems };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
  const { files, read, problems } = await checkImportDirection(root);
  for (const problem of problems) console.error(problem);
  console.log(`import direction: ${read} of ${files} modules read, ${problems.length} problem(s)`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
