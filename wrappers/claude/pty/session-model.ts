import fs from 'node:fs';
import path from 'node:path';
import { claudeHome } from '../../../agents/claude/home.ts';
import { asObject, asText, parseObject, visitLastLines } from '../../../agents/files/jsonl-window.ts';
import type { Surroundings } from '../../../contract/paths.ts';

const ANSWER = Buffer.from('"type":"assistant"');
const TAIL_LIMIT_BYTES = 262_144;
/** Claude's own texts (errors, output of commands) name no model. */
const NO_MODEL = '<synthetic>';

/** Reads from the end of a session's transcript which model answered last. Only the model's id is kept. */
export class SessionModel {
  readonly #projects: string;
  #seen = '';

  constructor(around: Surroundings) {
    this.#projects = claudeHome(around).projects;
  }

  /** The model of the latest answer, or undefined: none yet, or nothing new since the last look. Never fails. */
  look(sessionId: string, cwd: string | undefined): string | undefined {
    if (cwd === undefined) return undefined;
    const file = path.join(
      this.#projects,
      cwd.replace(/[^A-Za-z0-9]/g, '-'),
      `${path.basename(sessionId)}.jsonl`,
    );
    let fd: number | undefined;
    try {
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
