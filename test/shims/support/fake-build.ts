import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from './scratch.ts';

/** A program that prints what it was given: its name, arguments, standard input, and says so in its exit status. */
const TELLS = (name: string) => `
exports.run = (argv) => {
  const text = require('fs').readFileSync(0, 'utf8');
  process.stdout.write(JSON.stringify({ program: ${JSON.stringify(name)}, argv, text, main: process.argv[1] }));
  process.exitCode = Number(process.env.EXIT_WITH ?? 0);
};
if (require.main === module) exports.run(process.argv.slice(2));
`;

export interface FakeBuild {
  folder: string;
  /** Replaces one program. */
  write(name: string, text: string): void;
}

/** A build folder with programs that only tell how they were started. */
export function fakeBuild(marker = ''): FakeBuild {
  const folder = path.join(scratchFolder(), 'dist');
  mkdirSync(path.join(folder, 'cli', 'chunks'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  for (const name of ['claude-wrap', 'codex-wrap', 'hook', 'daemon', 'omni-dev']) {
    write(`${name}.cjs`, `${TELLS(name)}// ${marker}\n`);
  }
  write('pi-extension.js', "export const socket = '__OMNI_DEV_SOCKET__';\n");
  write('cli/main.mjs', 'export const main = 1;\n');
  write('cli/chunks/one.mjs', 'export const one = 1;\n');
  return { folder, write };
}
