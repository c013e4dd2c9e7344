// Builds every program of the package into dist/. Each start-up path is one CommonJS file without run-time
// dependency (docs/performance.md says why); the command line is ESM with one lazily loaded chunk per command.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The commit of this checkout, or '' outside one. */
function commit() {
  if (!existsSync('.git')) return '';
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return '';
  }
}

/** Packages whose default entry esbuild cannot bundle: a UMD wrapper hides what it requires. */
const alias = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

const common = {
  alias,
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  define: { __OMNI_DEV_VERSION__: JSON.stringify(version), __OMNI_DEV_COMMIT__: JSON.stringify(commit()) },
  external: ['@lydell/node-pty', 'node-pty', 'vscode'],
};

/** Bundled CommonJS libraries ask for Node's modules by `require`, which an ES module has to make for itself. */
const requireBanner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

/** One self-contained CommonJS file per start-up path, and the part of one that is not needed at once. */
const programs = {
  'omni-dev': 'cli/bin.ts',
  'claude-wrap': 'wrappers/claude/main.ts',
  'codex-wrap': 'wrappers/codex/main.ts',
  'codex-observer': 'wrappers/codex/observer.ts',
  hook: 'sink/main.ts',
  daemon: 'daemon-lite/service/main.ts',
};

/** Programs that somebody waits for. A process reads its whole program before it starts, so these are kept short. */
const waitedFor = new Set(['claude-wrap', 'codex-wrap', 'codex-observer', 'hook']);

/** Leaves out of a program what it loads later, from a file of its own beside it. */
const laterFiles = {
  name: 'later-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/observer\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './codex-observer.cjs', external: true } : undefined,
    ),
};

/** Tests that build for themselves build elsewhere, so that a build never pulls files from under a running program. */
const out = process.env.OMNI_DEV_BUILD_DIR ?? 'dist';

rmSync(out, { recursive: true, force: true });
for (const [name, entry] of Object.entries(programs)) {
  if (!existsSync(entry)) continue;
  await build({
    ...common,
    entryPoints: [entry],
    outfile: `${out}/${name}.cjs`,
    format: 'cjs',
    ...(waitedFor.has(name) ? { minify: true } : { minifySyntax: true }),
    ...(name === 'codex-wrap' ? { plugins: [laterFiles], supported: { 'dynamic-import': false } } : {}),
    // bin.ts only picks the program: the programs stay separate files.
    ...(name === 'omni-dev' ? { external: [...common.external, './*.cjs', './cli/main.mjs'] } : {}),
    ...(name === 'omni-dev' ? { banner: { js: '#!/usr/bin/env node' } } : {}),
  });
}
if (existsSync('cli/main.ts')) {
  await build({
    ...common,
    entryPoints: { main: 'cli/main.ts' },
    outdir: `${out}/cli`,
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    banner: requireBanner,
  });
}
// The session catalog as a library: `import { openCatalog } from 'omni-dev/catalog'`.
await build({
  ...common,
  entryPoints: ['catalog/index.ts'],
  outfile: `${out}/catalog.mjs`,
  format: 'esm',
  banner: requireBanner,
});
if (existsSync(`${out}/omni-dev.cjs`)) chmodSync(`${out}/omni-dev.cjs`, 0o755);
if (existsSync('editors/vscode/build.mjs'))
  await (await import('./editors/vscode/build.mjs')).buildExtension(out);
if (existsSync('shims/pi/build.mjs')) (await import('./shims/pi/build.mjs')).buildPiExtension(out);
