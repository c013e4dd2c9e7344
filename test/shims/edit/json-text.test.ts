import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { JsonText, JsonTextProblem } from '../../../shims/edit/json-text.ts';
import { revertChanges } from '../../../shims/edit/text-change.ts';

function edited(before: string, edit: (text: JsonText) => void): string {
  const text = new JsonText(before);
  edit(text);
  expect(revertChanges(text.text, text.changes)).toBe(before);
  return text.text;
}

describe('adding a member', () => {
  const add = (before: string) => edited(before, (text) => text.setMember([], 'k', 'v'));

  it('stands on a line of its own, indented like the last one', () => {
    expect(add('{\n    "a": 1\n}\n')).toBe('{\n    "a": 1,\n    "k": "v"\n}\n');
    expect(add('{\n\t"a": 1\n}')).toBe('{\n\t"a": 1,\n\t"k": "v"\n}');
  });

  it('leaves a comment with the member it follows', () => {
    expect(add('{\n  "a": 1 // of a\n}\n')).toBe('{\n  "a": 1, // of a\n  "k": "v"\n}\n');
    expect(add('{\n  "a": 1 /* of a */\n}\n')).toBe('{\n  "a": 1, /* of a */\n  "k": "v"\n}\n');
  });

  it('comes before comments at the end of the object', () => {
    expect(add('{\n  "a": 1\n  // "b": 2\n}\n')).toBe('{\n  "a": 1,\n  "k": "v"\n  // "b": 2\n}\n');
  });

  it('keeps the habit of a trailing comma', () => {
    expect(add('{\n  "a": 1, // of a\n}\n')).toBe('{\n  "a": 1, // of a\n  "k": "v",\n}\n');
    expect(add('{ "a": 1, }\n')).toBe('{ "a": 1, "k": "v", }\n');
  });

  it('keeps Windows line breaks', () => {
    expect(add('{\r\n  "a": 1\r\n}\r\n')).toBe('{\r\n  "a": 1,\r\n  "k": "v"\r\n}\r\n');
  });

  it('opens an empty object, and one that holds comments only', () => {
    expect(add('{}\n')).toBe('{\n  "k": "v"\n}\n');
    expect(add('{\n  // nothing yet\n}\n')).toBe('{\n  // nothing yet\n  "k": "v"\n}\n');
    expect(add('{ /* nothing yet */ }\n')).toBe('{ /* nothing yet */\n  "k": "v"\n}\n');
  });

  it('makes an object of a blank text and of comments alone', () => {
    expect(add('')).toBe('{\n  "k": "v"\n}\n');
    expect(add('  \n')).toBe('{\n  "k": "v"\n}\n');
    expect(add('// settings')).toBe('// settings\n{\n  "k": "v"\n}\n');
  });

  it('survives comments around the comma', () => {
    const text = add('{\n  "a": 1\n  // before the comma\n  , // after it\n}\n');
    expect(parse(text)).toEqual({ a: 1, k: 'v' });
    expect(text).toContain('// before the comma');
    expect(text).toContain('// after it');
  });
});

describe('adding an item', () => {
  it('stays on the line when the others share one', () => {
    expect(edited('{\n  "l": [1, 2]\n}\n', (text) => text.append(['l'], { a: [3] }))).toBe(
      '{\n  "l": [1, 2, { "a": [3] }]\n}\n',
    );
  });

  it('takes lines where the others have lines', () => {
    expect(edited('{\n  "l": [\n    1\n  ]\n}\n', (text) => text.append(['l'], { a: 3 }))).toBe(
      '{\n  "l": [\n    1,\n    {\n      "a": 3\n    }\n  ]\n}\n',
    );
  });
});

describe('removing', () => {
  it.each([
    ['the only one', '{\n  "k": 1\n}\n', '{}\n'],
    ['the first line', '{\n  "k": 1,\n  "b": 2\n}\n', '{\n  "b": 2\n}\n'],
    ['the last line', '{\n  "a": 1, // of a\n  "k": 1\n}\n', '{\n  "a": 1 // of a\n}\n'],
    ['a line with a trailing comma', '{\n  "a": 1,\n  "k": 1,\n}\n', '{\n  "a": 1,\n}\n'],
    ['the first on one line', '{ "k": 1, "b": 2 }\n', '{ "b": 2 }\n'],
    ['the last on one line', '{ "a": 1, "k": 1 }\n', '{ "a": 1 }\n'],
    ['one of a one-liner with a trailing comma', '{ "a": 1, "k": 1, }\n', '{ "a": 1, }\n'],
    ['one with a comment of the user', '{\n  "k": 1 // mine\n}\n', '{\n   // mine\n}\n'],
    ['one before a closing brace', '{\n  "a": 1, // of a\n  "k": 1 }\n', '{\n  "a": 1 // of a\n   }\n'],
  ])('%s', (_, before, expected) => {
    expect(edited(before, (text) => text.remove(['k']))).toBe(expected);
  });

  it('keeps a comment between a member and its comma', () => {
    const text = edited('{\n  "k": 1 // mine\n  ,\n  "b": 2\n}\n', (text) => text.remove(['k']));
    expect(parse(text)).toEqual({ b: 2 });
    expect(text).toContain('// mine');
  });

  it('is the exact reverse of adding', () => {
    for (const before of ['{\n  "a": 1 // of a\n}\n', '{ "a": 1 }', '{\r\n\t"a": 1,\r\n}', '{}\n']) {
      const added = edited(before, (text) => text.setMember([], 'k', [{ deep: true }]));
      expect(edited(added, (text) => text.remove(['k']))).toBe(before);
    }
  });
});

describe('a text that cannot be edited', () => {
  const problem = (text: string, edit: (text: JsonText) => void = () => {}) => {
    try {
      edit(new JsonText(text));
    } catch (error) {
      if (error instanceof JsonTextProblem) return error;
      throw error;
    }
    return undefined;
  };

  it.each(['not json {', '{,}', '{"a":1', '{"a":1}}', '{"a":}', '{"a" 1}', '// c\n{"a":tru}', '/* open'])(
    'is one that does not parse: %s',
    (text) => expect(problem(text)?.kind).toBe('not-json'),
  );

  it('says where', () => expect(problem('{\n  "a": 1\n  "b": 2\n}')?.message).toContain('line 3, column 3'));

  it.each(['[1]', '"x"', '5', 'null'])('is one that is no object: %s', (text) =>
    expect(problem(text)?.kind).toBe('not-an-object'),
  );

  it('is one that is nested beyond reading', () =>
    expect(problem('{"a":'.repeat(200_000))?.kind).toBe('not-json'));

  it('is one with the edited key twice', () => {
    const found = problem('{"k": 1, "k": 2}', (text) => text.setMember([], 'k', 3));
    expect(found?.kind).toBe('ambiguous');
    expect(found?.message).toContain('"k"');
  });

  it('accepts a trailing comma and comments', () => expect(problem('{"a": [1,], // c\n}')).toBeUndefined());
});

it('treats prototype keys as keys', () => {
  const text = new JsonText('{\n  "__proto__": 1\n}\n');
  text.setMember([], 'constructor', 'x');
  expect(text.keys([])).toEqual(['__proto__', 'constructor']);
  text.remove(['__proto__']);
  expect(text.text).toBe('{\n  "constructor": "x"\n}\n');
});
