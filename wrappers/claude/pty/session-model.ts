import fs from 'node:fs';
import path from 'node:path';
import { claudeHome } from '../../../agents/claude/home.ts';
import { asObject, asText, parseObject, visitLastLines } from '../../../agents/files/jsonl-window.ts';
import type { Surroundings } from '../../../contract/paths.ts';

const ANSWER = Buffer.from('"type":"assistant"');
const TAIL_LIMIT_BYTES = 262_144;
/** Claude's own texts (errors, output of commands) name no model. */
const NO_MODEL = '<synthetic>';
/** A transcript that is not where it is expected is looked for everywhere once in so many looks. */
const LOOKS_PER_SEARCH = 10;

/** Reads from the end of a session's transcript which model answered last. Only the model's id is kept. */
export class SessionModel {
  readonly #projects: string;
  #seen = '';
  #found: { sessionId: string; file: string } | undefined;
  #looksUntilSearch = 0;

  constructor(around: Surroundings) {
    this.#projects = claudeHome(around).projects;
  }

  /** The model of the latest answer, or undefined: none yet, or nothing new since the last look. Never fails. */
  look(sessionId: string, cwd: string | undefined): string | undefined {
    let fd: number | undefined;
    try {
      const file = this.#fileOf(sessionId, cwd);
      if (file === undefined) return undefined;
      fd = fs.openSync(file, 'r');
      const { size, mtimeMs } = fs.fstatSync(fd);
      const seen = `${file} ${size} ${mtimeMs}`;
      if (seen === this.#seen) return undefined;
      this.#seen = seen;
      return lastModel(fd, size);
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) fs.closeSync(fd);
    }
  }

  /**
   * The session's transcript. A session that is resumed in another folder goes on in its first one's, and the name of a
   * long folder is cut, so where it is not found by its folder all are searched.
   */
  #fileOf(sessionId: string, cwd: string | undefined): string | undefined {
    if (this.#found?.sessionId === sessionId) return this.#found.file;
    const file = this.#expected(sessionId, cwd) ?? this.#searched(sessionId);
    if (file !== undefined) this.#found = { sessionId, file };
    return file;
  }

  #expected(sessionId: string, cwd: string | undefined): string | undefined {
    if (cwd === undefined) return undefined;
    return this.#existing(cwd.replace(/[^A-Za-z0-9]/g, '-'), sessionId);
  }

  #searched(sessionId: string): string | undefined {
    this.#looksUntilSearch -= 1;
    if (this.#looksUntilSearch > 0) return undefined;
    this.#looksUntilSearch = LOOKS_PER_SEARCH;
    for (const project of fs.readdirSync(this.#projects)) {
      const file = this.#existing(project, sessionId);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  #existing(project: string, sessionId: string): string | undefined {
    const file = path.join(this.#projects, project, `${path.basename(sessionId)}.jsonl`);
    return fs.existsSync(file) ? file : undefined;
  }
}

function lastModel(fd: number, size: number): string | undefined {
  let model: string | undefined;
  visitLastLines(fd, size, TAIL_LIMIT_BYTES, (line) => {
    if (!line.includes(ANSWER)) return undefined;
    const record = parseObject(line);
    if (record?.type !== 'assistant' || record.isSidechain === true) return undefined;
    const named = asText(asObject(record.message)?.model);
    if (named === undefined || named === NO_MODEL) return undefined;
    model = named;
    return 'stop';
  });
  return model;
}
