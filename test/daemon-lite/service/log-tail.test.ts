import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tailLog } from '../../../daemon-lite/service/log-tail.ts';
import { until } from '../../support/until.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

let home: ThrowAwayHome;
let file: string;
beforeEach(() => {
  home = new ThrowAwayHome();
  file = home.path('daemon.log');
});
afterEach(() => home.remove());

async function shown(lines: number): Promise<string> {
  const parts: string[] = [];
  await tailLog({ file, lines, follow: false, write: (part) => void parts.push(part) });
  return parts.join('');
}

describe('the end of a log', () => {
  it.each([
    [1, 'c\n'],
    [2, 'b\nc\n'],
    [3, 'a\nb\nc\n'],
    [200, 'a\nb\nc\n'],
    [0, 'a\nb\nc\n'],
  ])('is its last %i lines', async (lines, text) => {
    writeFileSync(file, 'a\nb\nc\n');
    expect(await shown(lines)).toBe(text);
  });

  it('counts a line that is not finished', async () => {
    writeFileSync(file, 'a\nb\nc');
    expect(await shown(2)).toBe('b\nc\n');
  });

  it('is nothing for an empty or missing file', async () => {
    expect(await shown(200)).toBe('');
    writeFileSync(file, '');
    expect(await shown(200)).toBe('');
  });

  it('keeps empty lines', async () => {
    writeFileSync(file, 'a\n\n\n');
    expect(await shown(2)).toBe('\n\n');
  });

  it('is found in a log of many reads, with characters of several bytes', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at} äöü€ ${'x'.repeat(at % 50)}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(await shown(5_000)).toBe(`${lines.slice(-5_000).join('\n')}\n`);
    expect(await shown(0)).toBe(`${lines.join('\n')}\n`);
  });
});

describe('a followed log', () => {
  let text: string;
  let stop: AbortController;
  let following: Promise<void>;
  beforeEach(() => {
    text = '';
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await following;
  });

  function follow(lines = 200): void {
    following = tailLog({
      file,
      lines,
      follow: true,
      signal: stop.signal,
      pollMs: 5,
      write: (part) => {
        text += part;
      },
    });
  }

  it('goes on with what is appended and holds an unfinished line back', async () => {
    writeFileSync(file, 'a\nb\n');
    follow(1);
    await until(() => text === 'b\n');
    appendFileSync(file, 'c\nhalf');
    await until(() => text === 'b\nc\n');
    appendFileSync(file, ' and half\n');
    await until(() => text === 'b\nc\nhalf and half\n');
  });

  it('waits for a file that is missing', async () => {
    follow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    writeFileSync(file, 'first\n');
    await until(() => text === 'first\n');
  });

  it('begins again when the file was cut', async () => {
    writeFileSync(file, 'old old old\n');
    follow();
    await until(() => text === 'old old old\n');
    truncateSync(file);
    writeFileSync(file, 'new\n');
    await until(() => text === 'old old old\nnew\n');
  });

  it('begins again when the file was replaced by one that is longer', async () => {
    writeFileSync(file, 'old\n');
    follow();
    await until(() => text === 'old\n');
    writeFileSync(home.path('next'), 'a new and longer one\n');
    renameSync(home.path('next'), file);
    await until(() => text === 'old\na new and longer one\n');
  });
});
