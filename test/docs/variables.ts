import ts from 'typescript';
import { visit } from './error-codes.ts';

/** Names of variables of ours that a source reads: a member of an environment, or a name that one is read by. */
export function variablesRead(files: readonly ts.SourceFile[]): Set<string> {
  const names = new Set<string>();
  for (const file of files) {
    visit(file, (node) => {
      const name = nameOf(node);
      if (name !== undefined && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)) names.add(name);
    });
  }
  return names;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isStringLiteral(node)) return node.text;
  // `const { NAME: local } = env` and `const { NAME } = env`.
  if (ts.isBindingElement(node)) return (node.propertyName ?? node.name).getText();
  return undefined;
}
