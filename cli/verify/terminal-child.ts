import { createHash } from 'node:crypto';
import type { CliContext } from '../context.ts';
import { writeAll } from '../output.ts';

/** The end of a paste that the child waits for. */
export const PASTE_END = '\x1b[201~';
/** What the child asks its terminal, and a terminal's answer. */
export const QUESTION = '\x1b[c';
export const ANSWER = '\x1b[?62;22c';

/** Every mode that programs of this kind switch on, and the same off. */
const MODES_ON = '\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?25l\x1b[>1u';
const MODES_OFF = '\x1b[<u\x1b[?25h\x1b[?1004l\x1b[?2004l\x1b[?1049l';

/** What the child of `verify-wrapper --pty` does on its terminal, by mode. */
export async function runOnTerminal(context: CliContext, mode: string): Promise<number> {
  switch (mode) {
    case 'terminal-size':
      return size(context);
    case 'terminal-paste':
      return paste(context);
    case 'terminal-question':
      return question(context);
    case 'terminal-echo':
      return echo(context);
    case 'terminal-lines':
      return lines(context);
    default:
      return modes(context, mode === 'terminal-killed');
  }
}

const dimensions = ({ stdout }: CliContext) => `${stdout.columns} x ${stdout.rows}`;

/** Says the size of the window, and once more when it was changed. */
async function size(context: CliContext): Promise<number> {
  const changed = new Promise((resolve) => context.stdout.once('resize', resolve));
  await writeAll(context.stdout, `first ${dimensions(context)}\n`);
  context.stdin.resume();
  await changed;
  await writeAll(context.stdout, `then ${dimensions(context)}\n`);
  context.stdin.pause();
  return 0;
}

/** Takes a paste and says what arrived. */
async function paste(context: CliContext): Promise<number> {
  context.stdin.setRawMode?.(true);
  await writeAll(context.stdout, '\x1b[?2004hready\r\n');
  const hash = createHash('sha256');
  let bytes = 0;
  for (let last = ''; !last.endsWith(PASTE_END); ) {
    const chunk = await nextRead(context);
    hash.update(chunk);
    bytes += chunk.length;
    last = (last + chunk.toString('latin1')).slice(-PASTE_END.length);
  }
  await writeAll(context.stdout, `\x1b[?2004l${bytes} bytes, SHA-256 ${hash.digest('hex').slice(0, 16)}\r\n`);
  context.stdin.setRawMode?.(false);
  return 0;
}

/** Asks the terminal something and says what came back. */
async function question(context: CliContext): Promise<number> {
  context.stdin.setRawMode?.(true);
  await writeAll(context.stdout, QUESTION);
  let answer = '';
  while (answer.length < ANSWER.length) answer += (await nextRead(context)).toString('latin1');
  await writeAll(context.stdout, `answer ${JSON.stringify(answer)}\r\n`);
  context.stdin.setRawMode?.(false);
  return 0;
}

/** Sends every key back, as a program does that draws what is typed. Ctrl-D ends it. */
async function echo(context: CliContext): Promise<number> {
  context.stdin.setRawMode?.(true);
  await writeAll(context.stdout, 'ready');
  for (;;) {
    const keys = await nextRead(context);
    if (keys.includes(0x04)) return 0;
    await writeAll(context.stdout, keys);
  }
}

/** Reads lines as the terminal edits them, until the key that means the end of input. */
async function lines(context: CliContext): Promise<number> {
  await writeAll(context.stdout, 'ready\n');
  const read: string[] = [];
  for await (const chunk of context.stdin) read.push(String(chunk));
  await writeAll(context.stdout, `read ${JSON.stringify(read.join(''))}\n`);
  return 0;
}

/** Switches every mode on; leaves cleanly, or is killed with all of them on. */
async function modes(context: CliContext, isKilled: boolean): Promise<number> {
  context.stdin.setRawMode?.(true);
  await writeAll(context.stdout, MODES_ON);
  if (isKilled) {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => setTimeout(() => {}, 60_000));
  }
  await writeAll(context.stdout, MODES_OFF);
  context.stdin.setRawMode?.(false);
  return 0;
}

function nextRead({ stdin }: CliContext): Promise<Buffer> {
  return new Promise((resolve) => {
    stdin.once('data', (chunk: Buffer | string) => {
      stdin.pause();
      resolve(Buffer.from(chunk));
    });
    stdin.resume();
  });
}
