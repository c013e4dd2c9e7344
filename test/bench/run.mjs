// Runs the benchmarks: `npm run bench [-- NAME…] [--json]`. Every file `*.bench.ts` exports `benchmark`.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = import.meta.dirname;
const files = readdirSync(here).filter((name) => name.endsWith('.bench.ts'));
// Inside the project, so that what is not bundled is found.
const folder = mkdtempSync(path.join(here, '../../node_modules/.bench-'));
const entry = [
  "import { main } from './main.ts';",
  ...files.map((name, index) => `import { benchmark as b${index} } from './${name}';`),
  `await main([${files.map((_, index) => `b${index}`).join(', ')}], process.argv.slice(2));`,
].join('\n');
const outfile = path.join(folder, 'bench.mjs');
await build({
  stdin: { contents: entry, resolveDir: here, loader: 'ts' },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
  external: ['@lydell/node-pty'],
  define: { 'import.meta.dirname': JSON.stringify(here) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
try {
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
