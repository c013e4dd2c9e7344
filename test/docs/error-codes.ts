import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { REPOSITORY } from '../support/programs.ts';

/** Rooms whose programs speak to people. */
export const ROOMS = ['agents', 'catalog', 'cli', 'contract', 'daemon-lite', 'shims', 'sink', 'wrappers'];
const BASE = 'OmniDevError';

/** Every source file of the programs, parsed. */
export function sourceFiles(rooms: readonly string[] = ROOMS): ts.SourceFile[] {
  return rooms.flatMap((room) => {
    const folder = path.join(REPOSITORY, room);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => path.join(folder, name))
      .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  });
}

/** What the sources make errors of. */
export interface ErrorCodes {
  codes: Set<string>;
  /** Places where the code is no literal: the table cannot be held to them. */
  unreadable: string[];
}

/** Collects the code of every error that is made: the first argument of the class, or what a class passes to its base. */
export function collectErrorCodes(files: readonly ts.SourceFile[]): ErrorCodes {
  const classes = errorClasses(files);
  const found: ErrorCodes = { codes: new Set(), unreadable: [] };
  const take = (argument: ts.Expression | undefined, file: ts.SourceFile) => {
    if (argument !== undefined && ts.isStringLiteral(argument)) found.codes.add(argument.text);
    else found.unreadable.push(`${file.fileName}: ${argument?.getText() ?? 'no code'}`);
  };
  for (const file of files) {
    visit(file, (node) => {
      if (ts.isNewExpression(node) && classes.get(node.expression.getText()) === 'takes-code')
        take(node.arguments?.[0], file);
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) {
        const owner = classAround(node);
        if (owner !== undefined && classes.get(owner) === 'has-code') take(node.arguments[0], file);
      }
    });
  }
  return found;
}

type ErrorClass = 'takes-code' | 'has-code';

/** The classes of errors with a code, by name: their constructor takes the code, or knows it. */
function errorClasses(files: readonly ts.SourceFile[]): Map<string, ErrorClass> {
  const classes = new Map<string, ErrorClass>([[BASE, 'takes-code']]);
  for (let before = 0; before !== classes.size; ) {
    before = classes.size;
    for (const file of files) {
      visit(file, (node) => {
        if (!ts.isClassDeclaration(node) || node.name === undefined) return;
        const base = node.heritageClauses?.[0]?.types[0]?.expression.getText();
        if (base === undefined || !classes.has(base)) return;
        const made = node.members.find(ts.isConstructorDeclaration);
        const first = made?.parameters[0]?.name.getText();
        classes.set(node.name.text, first === 'code' ? 'takes-code' : 'has-code');
      });
    }
  }
  return classes;
}

function classAround(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isClassDeclaration(at)) return at.name?.text;
  }
  return undefined;
}

/** The texts that the daemon refuses requests with, what differs as `…`. */
export function collectRefusals(files: readonly ts.SourceFile[]): Set<string> {
  const texts = new Set<string>();
  const take = (argument: ts.Expression | undefined) => {
    const text = argument === undefined ? undefined : textOf(argument);
    if (text !== undefined) texts.add(text);
  };
  for (const file of files) {
    if (!file.fileName.includes('/daemon-lite/server/')) continue;
    visit(file, (node) => {
      if (ts.isCallExpression(node) && node.expression.getText() === 'rejected') take(node.arguments[1]);
      if (ts.isCallExpression(node) && node.expression.getText() === 'errorLine') take(node.arguments[0]);
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'unreadable') take(node.initializer);
    });
  }
  return texts;
}

/** The text of a literal, of a template or of several put together, what differs as `…`; undefined for anything else. */
export function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const sides = [textOf(node.left), textOf(node.right)];
    return sides.every((side) => side === undefined) ? undefined : sides.map((side) => side ?? '…').join('');
  }
  return undefined;
}

/** Every text of the sources, put together where the code does so, what differs as `…`. */
export function collectTexts(files: readonly ts.SourceFile[]): string[] {
  const texts: string[] = [];
  for (const file of files) {
    visit(file, (node) => {
      const text = isExpression(node) ? textOf(node) : undefined;
      if (text !== undefined && text.length > 3) texts.push(text);
    });
  }
  return texts;
}

function isExpression(node: ts.Node): node is ts.Expression {
  return (
    ts.isStringLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isBinaryExpression(node) ||
    ts.isNoSubstitutionTemplateLiteral(node)
  );
}

/** Calls `look` for a node and everything below it. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
