/** A value of an XML property list. */
export type PlistValue = string | number | boolean | PlistValue[] | { [key: string]: PlistValue };

const HEAD =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist PUBLIC "-\/\/Apple\/\/DTD PLIST 1\.0\/\/EN" "http:\/\/www\.apple\.com\/DTDs\/PropertyList-1\.0\.dtd">\n/;

/** Token: an opening, closing or empty element, or text. Comments are passed over. */
const TOKEN = /<!--[\s\S]*?-->|<(\/?)([a-z]+)(\/?)>|([^<]+)/gy;

/** Reads an XML property list by its document type, strictly: an unknown element, a stray text or a lone key is an error. */
export function parsePlist(text: string): PlistValue {
  if (!HEAD.test(text)) throw new Error('no head of a property list');
  const tokens = tokensOf(text.replace(HEAD, '').replace('<plist version="1.0">', '<plist>'));
  expectToken(tokens, '<plist>');
  const value = readValue(tokens);
  expectToken(tokens, '</plist>');
  if (tokens.length > 0) throw new Error(`more after the end: ${tokens[0]}`);
  return value;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const isKept = !match[0].startsWith('<!--') && (match[4] === undefined || match[4].trim() !== '');
    const previous = tokens.at(-1);
    const isInString = previous === '<string>' || previous === '<key>';
    if (isKept || (isInString && match[4] !== undefined)) tokens.push(match[0]);
  }
  if (end !== text.length) throw new Error(`no markup at ${end}: ${text.slice(end, end + 20)}`);
  return tokens;
}

function readValue(tokens: string[]): PlistValue {
  const token = tokens.shift();
  switch (token) {
    case '<true/>':
      return true;
    case '<false/>':
      return false;
    case '<string>':
      return readText(tokens, '</string>');
    case '<integer>':
      return Number.parseInt(readText(tokens, '</integer>'), 10);
    case '<array>':
      return readArray(tokens);
    case '<dict>':
      return readDictionary(tokens);
    default:
      throw new Error(`no value: ${token}`);
  }
}

function readArray(tokens: string[]): PlistValue[] {
  const items: PlistValue[] = [];
  while (tokens[0] !== '</array>') items.push(readValue(tokens));
  tokens.shift();
  return items;
}

function readDictionary(tokens: string[]): { [key: string]: PlistValue } {
  const entries = new Map<string, PlistValue>();
  while (tokens[0] !== '</dict>') {
    expectToken(tokens, '<key>');
    const key = readText(tokens, '</key>');
    if (entries.has(key)) throw new Error(`twice: ${key}`);
    entries.set(key, readValue(tokens));
  }
  tokens.shift();
  return Object.fromEntries(entries);
}

function readText(tokens: string[], end: string): string {
  const text = tokens[0] === end ? '' : (tokens.shift() ?? '');
  expectToken(tokens, end);
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`unknown entity in ${text}`);
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function expectToken(tokens: string[], wanted: string): void {
  const token = tokens.shift();
  if (token !== wanted) throw new Error(`${token} in place of ${wanted}`);
}
