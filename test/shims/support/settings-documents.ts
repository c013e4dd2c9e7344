import fc from 'fast-check';

/** A settings document as a person may have written it. */
export interface SettingsDocument {
  text: string;
  value: Record<string, unknown>;
  /** Its comments, in order. */
  comments: string[];
}

interface Layout {
  indent: string;
  eol: string;
  trailingCommas: boolean;
  finalNewline: boolean;
}

const key = fc.constantFrom(
  'a',
  'b c',
  'model',
  'env',
  'permissions',
  'constructor',
  'ключ',
  '"q"',
  '//',
  '/*',
);
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('// no comment'),
);
const otherHook = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('lint', 'omni-dev sessions list'),
});
const group = fc.record({
  matcher: fc.constantFrom('Bash', '*'),
  hooks: fc.array(otherHook, { minLength: 1, maxLength: 2 }),
});
const hooks = fc.dictionary(
  fc.constantFrom('Stop', 'PreToolUse', 'MyEvent'),
  fc.array(group, { minLength: 1, maxLength: 2 }),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const layout: fc.Arbitrary<Layout> = fc.record({
  indent: fc.constantFrom('  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  trailingCommas: fc.boolean(),
  finalNewline: fc.boolean(),
});

/** Documents over several lines, with comments and without; some of them hold hooks of other tools. */
export const settingsDocument: fc.Arbitrary<SettingsDocument> = fc
  .record({
    members: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
    hooks: fc.option(hooks, { nil: undefined }),
    layout,
    choices: fc.array(fc.nat(11), { minLength: 40, maxLength: 40 }),
  })
  .map(({ members, hooks: held, layout: chosen, choices }) => {
    const document: Record<string, unknown> = Object.create(null);
    for (const [name, member] of Object.entries(members)) document[name] = member;
    if (held !== undefined) document.hooks = held;
    return write(document, chosen, choices);
  });

function write(
  document: Record<string, unknown>,
  chosen: Layout,
  choices: readonly number[],
): SettingsDocument {
  const { indent, eol, trailingCommas } = chosen;
  const comments: string[] = [];
  let step = 0;
  const choose = () => choices[step++ % choices.length] ?? 0;
  const comment = (block: boolean): string => {
    const text = block ? `/* note ${comments.length} */` : `// note ${comments.length}`;
    comments.push(text);
    return text;
  };

  const render = (item: unknown, outer: string, inline: boolean): string => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const isArray = Array.isArray(item);
    const members: [string, unknown][] = isArray ? item.map((one) => ['', one]) : Object.entries(item);
    const [open, close] = isArray ? '[]' : '{}';
    if (members.length === 0) return `${open}${close}`;
    const oneLine = inline || (outer !== '' && choose() < 3);
    const own = outer + indent;
    const parts = members.map(([name, member], position) => {
      const head = oneLine || choose() > 1 ? '' : `${own}${comment(false)}${eol}`;
      const label = isArray ? '' : `${JSON.stringify(name)}: `;
      const text = label + render(member, own, oneLine);
      const isLast = position === members.length - 1;
      const comma = !isLast || (trailingCommas && !oneLine) ? ',' : '';
      if (oneLine) return text + comma;
      const tail = choose();
      return `${head}${own}${text}${comma}${tail === 0 ? ` ${comment(false)}` : tail === 1 ? ` ${comment(true)}` : ''}`;
    });
    if (oneLine) return `${open} ${parts.join(' ')} ${close}`;
    const last = choose() === 0 ? `${eol}${own}${comment(false)}` : '';
    return `${open}${eol}${parts.join(eol)}${last}${eol}${outer}${close}`;
  };

  const head = choose() === 0 ? `${comment(false)}${eol}` : '';
  const body = Object.keys(document).length === 0 ? `{${eol}}` : render(document, '', false);
  return { text: head + body + (chosen.finalNewline ? eol : ''), value: document, comments };
}
