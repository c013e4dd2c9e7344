import {
  format,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { insertion, removal } from './json-member-edits.ts';
import { isOnlyTrivia } from './json-trivia.ts';
import { applyChange, type TextChange } from './text-change.ts';
import { DEFAULT_INDENT, detectLayout, renderBlock, type TextLayout } from './text-layout.ts';

/** Steps from the root to a value: member names and array positions. */
export type JsonPath = readonly (string | number)[];

/** Why a text cannot be edited: not JSON (comments and trailing commas allowed), not an object, or ambiguous. */
export class JsonTextProblem extends Error {
  readonly kind: 'not-json' | 'not-an-object' | 'ambiguous';

  constructor(kind: JsonTextProblem['kind'], message: string) {
    super(message);
    this.name = 'JsonTextProblem';
    this.kind = kind;
  }
}

const OPTIONS = { allowTrailingComma: true, disallowComments: false };

/**
 * A JSON text with comments that is edited in place: whatever an edit does not concern keeps its bytes. Each edit is
 * parsed again before it counts, so that a text that parsed never becomes one that does not.
 */
export class JsonText {
  #text: string;
  #root: Node;
  readonly #layout: TextLayout;
  readonly #changes: TextChange[] = [];
  readonly #changesOfReading: number;
  /** True when the text that was read had no line break but a final one: it has no layout to keep. */
  readonly wasOneLiner: boolean;

  /**
   * Reads a text. A blank one, or one of comments alone, counts as an empty object.
   *
   * @throws JsonTextProblem when it is not JSON or its value is no object.
   */
  constructor(text: string) {
    this.#layout = detectLayout(text);
    this.wasOneLiner = !/[\r\n]/.test(text.trimEnd());
    this.#text = text;
    if (isOnlyTrivia(text)) this.#makeObject();
    this.#changesOfReading = this.#changes.length;
    this.#root = parseObject(this.#text);
  }

  /** True once an edit changed something. */
  get isEdited(): boolean {
    return this.#changes.length > this.#changesOfReading;
  }

  /** The text as it stands now. */
  get text(): string {
    return this.#text;
  }

  /** Every change so far, in order, each against the text left by the one before it. */
  get changes(): readonly TextChange[] {
    return this.#changes;
  }

  /** The value at `path`, or undefined when there is none. */
  value(path: JsonPath): unknown {
    const node = this.#find(path);
    return node === undefined ? undefined : getNodeValue(node);
  }

  /** Names of the members of the object at `path`, in the order of the text. */
  keys(path: JsonPath): string[] {
    const node = this.#find(path);
    return node?.type === 'object' ? (node.children ?? []).map(keyOf) : [];
  }

  /** Sets a member of the object at `path`: replaces its value where it has one, else adds it at the end. */
  setMember(path: JsonPath, key: string, value: unknown): void {
    if (this.#find([...path, key]) !== undefined) this.replace([...path, key], value);
    else this.#insert(path, (rendered) => `${JSON.stringify(key)}: ${rendered}`, value);
  }

  /** Adds an item at the end of the array at `path`. */
  append(path: JsonPath, value: unknown): void {
    this.#insert(path, (rendered) => rendered, value);
  }

  /** Replaces the value at `path`. */
  replace(path: JsonPath, value: unknown): void {
    const node = this.#require(path);
    const removed = this.#text.slice(node.offset, node.offset + node.length);
    this.#apply([{ offset: node.offset, removed, inserted: renderBlock(value, this.#layout, '') }]);
  }

  /** Removes the member or item at `path`, with its comma and, where it has lines of its own, its lines. */
  remove(path: JsonPath): void {
    const value = this.#require(path);
    const member = value.parent?.type === 'property' ? value.parent : value;
    if (member.parent === undefined) throw new RangeError('the root of a JSON text cannot be removed');
    this.#apply(removal(this.#text, member.parent, member));
    this.#collapse(path.slice(0, -1));
  }

  /** Lays the text out over several lines, two blanks a step, with a final line break. Before any other edit. */
  spreadOneLiner(): void {
    const edits = format(this.#text, undefined, {
      insertSpaces: true,
      tabSize: DEFAULT_INDENT.length,
      eol: this.#layout.eol,
      insertFinalNewline: true,
    });
    this.#apply(
      edits.map(({ offset, length, content }) => ({
        offset,
        removed: this.#text.slice(offset, offset + length),
        inserted: content,
      })),
    );
  }

  #makeObject(): void {
    const { eol } = this.#layout;
    const { length } = this.#text;
    const separator = this.#text.trim() === '' || this.#text.endsWith('\n') ? '' : eol;
    const blank = this.#text.trim() === '';
    const change = blank
      ? { offset: 0, removed: this.#text, inserted: `{}${eol}` }
      : { offset: length, removed: '', inserted: `${separator}{}${eol}` };
    this.#text = applyChange(this.#text, change);
    this.#changes.push(change);
  }

  #insert(path: JsonPath, asMember: (rendered: string) => string, value: unknown): void {
    this.#apply(insertion(this.#text, this.#require(path), asMember, value, this.#layout));
  }

  /** Turns an object or array that lost its last member into `{}` or `[]`, unless it holds comments. */
  #collapse(path: JsonPath): void {
    const node = this.#require(path);
    if ((node.children ?? []).length > 0) return;
    const removed = this.#text.slice(node.offset + 1, node.offset + node.length - 1);
    if (removed === '' || removed.trim() !== '') return;
    this.#apply([{ offset: node.offset + 1, removed, inserted: '' }]);
  }

  /** Applies changes given against the present text, the last place first, so that their offsets stay right. */
  #apply(changes: readonly TextChange[]): void {
    let text = this.#text;
    const ordered = changes.toSorted((one, other) => other.offset - one.offset);
    for (const change of ordered) text = applyChange(text, change);
    this.#root = parseObject(text);
    this.#text = text;
    this.#changes.push(...ordered);
  }

  #require(path: JsonPath): Node {
    const node = this.#find(path);
    if (node === undefined) throw new RangeError(`no value at ${JSON.stringify(path)}`);
    return node;
  }

  #find(path: JsonPath): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const step of path) {
      if (node === undefined) return undefined;
      node = typeof step === 'number' ? itemOf(node, step) : memberOf(node, step);
    }
    return node;
  }
}

function itemOf(node: Node, position: number): Node | undefined {
  return node.type === 'array' ? node.children?.[position] : undefined;
}

function memberOf(node: Node, key: string): Node | undefined {
  if (node.type !== 'object') return undefined;
  const found = (node.children ?? []).filter((property) => keyOf(property) === key);
  // Readers differ in which of the two they take, so no edit of either is right.
  if (found.length > 1) throw new JsonTextProblem('ambiguous', `it has the key ${JSON.stringify(key)} twice`);
  return found[0]?.children?.[1];
}

function keyOf(property: Node): string {
  const value: unknown = property.children?.[0]?.value;
  return typeof value === 'string' ? value : '';
}

function parseObject(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseGuarded(text, errors);
  const [first] = errors;
  if (first !== undefined) throw new JsonTextProblem('not-json', describe(text, first));
  if (root === undefined) throw new JsonTextProblem('not-json', 'it holds no value');
  if (root.type !== 'object') throw new JsonTextProblem('not-an-object', `its value is of type ${root.type}`);
  return root;
}

/** The parser is recursive: a text that is nested too deeply counts as one that does not parse. */
function parseGuarded(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, OPTIONS);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonTextProblem('not-json', 'it is nested too deeply');
    throw error;
  }
}

function describe(text: string, error: ParseError): string {
  const before = text.slice(0, error.offset).split('\n');
  const word = printParseErrorCode(error.error).replace(
    /(?!^)[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return `${word} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
