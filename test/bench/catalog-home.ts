import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** How large the made-up home is. */
export interface HomeSize {
  transcripts: number;
  /** Length of each transcript in bytes; the middle is a hole, so that little disk is taken. */
  transcriptBytes: number;
  rollouts: number;
}

const WORDS =
  'catalog resume window session daemon wrapper transcript rollout parser socket hook terminal index cache title prompt'.split(
    ' ',
  );
const PROJECTS = 100;
const MINUTE_MS = 60_000;

/** Fills `home` with sessions of Claude and Codex, one minute apart, the newest a minute ago. */
export function makeHome(home: string, size: HomeSize, now: number): void {
  for (let index = 0; index < size.transcripts; index++) {
    writeTranscript(home, index, size.transcriptBytes, now - (index * 2 + 1) * MINUTE_MS);
  }
  // Codex keeps a lock per running thread here: none runs.
  fs.mkdirSync(path.join(home, '.codex', 'thread-writer-locks'), { recursive: true });
  for (let index = 0; index < size.rollouts; index++) {
    writeRollout(home, index, now - (index * 3 + 2) * MINUTE_MS);
  }
}

function phrase(seed: number): string {
  return Array.from(
    { length: 8 },
    (_, place) => WORDS[(seed * 7 + place * (seed % 5 || 3)) % WORDS.length],
  ).join(' ');
}

function uuid(): string {
  const hex = randomBytes(16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function writeTranscript(home: string, index: number, bytes: number, at: number): void {
  const id = uuid();
  const cwd = path.join(home, 'src', `project-${index % PROJECTS}`);
  const folder = path.join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${id}.jsonl`);
  const common = { sessionId: id, cwd, isSidechain: false, entrypoint: 'cli', gitBranch: 'main' };
  const line = (offset: number, fields: object) =>
    `${JSON.stringify({ ...common, uuid: uuid(), timestamp: new Date(at + offset).toISOString(), ...fields })}\n`;
  const prompt = (offset: number, text: string) =>
    line(offset, { type: 'user', promptSource: 'typed', message: { role: 'user', content: text } });
  const answer = (offset: number) =>
    line(offset, {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: phrase(index + offset).repeat(20) }] },
    });
  const head = prompt(-50_000, `${phrase(index)} number ${index}`) + answer(-49_000);
  const tail = `\n${prompt(-30_000, phrase(index + 1))}${answer(-20_000)}${prompt(-10_000, phrase(index + 2))}${answer(0)}`;
  const fd = fs.openSync(file, 'w');
  fs.writeSync(fd, head, 0);
  fs.writeSync(fd, tail, Math.max(head.length, bytes - tail.length));
  fs.futimesSync(fd, at / 1000, at / 1000);
  fs.closeSync(fd);
}

function writeRollout(home: string, index: number, at: number): void {
  const id = uuid();
  const [day = '', time = ''] = new Date(at).toISOString().slice(0, 19).split('T');
  const folder = path.join(home, '.codex', 'sessions', ...day.split('-'));
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `rollout-${day}T${time.replaceAll(':', '-')}-${id}.jsonl`);
  let ordinal = 0;
  const line = (offset: number, type: string, payload: object) =>
    `${JSON.stringify({ timestamp: new Date(at + offset).toISOString(), ordinal: ordinal++, type, payload })}\n`;
  const prompt = (offset: number, text: string) =>
    line(offset, 'event_msg', {
      type: 'item_completed',
      thread_id: id,
      item: { type: 'UserMessage', content: [{ type: 'text', text }] },
    });
  const text =
    line(-40_000, 'session_meta', {
      id,
      session_id: id,
      timestamp: new Date(at - 40_000).toISOString(),
      cwd: path.join(home, 'src', `project-${index % PROJECTS}`),
      originator: 'codex-tui',
      source: 'vscode',
      base_instructions: { text: 'x'.repeat(26_000) },
      git: {},
    }) +
    prompt(-39_000, `${phrase(index)} thread ${index}`) +
    line(-20_000, 'response_item', { type: 'message', role: 'assistant', content: [] }) +
    prompt(-10_000, phrase(index + 3)) +
    line(0, 'event_msg', { type: 'task_complete' });
  fs.writeFileSync(file, text);
  fs.utimesSync(file, at / 1000, at / 1000);
}
