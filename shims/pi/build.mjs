// Makes the pi extension that install-hooks writes: plain JavaScript of the typed source, comments kept, since its
// readers are the people in whose home it ends up. The root build calls buildPiExtension().
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const source = path.join(import.meta.dirname, 'extension/omni-dev-sessions.ts');

/** Writes `<out>/pi-extension.js` and gives its path. */
export function buildPiExtension(out) {
  const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  mkdirSync(out, { recursive: true });
  const file = path.join(out, 'pi-extension.js');
  writeFileSync(file, outputText);
  return file;
}
