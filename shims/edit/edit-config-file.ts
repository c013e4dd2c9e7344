import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../../contract/errors.ts';
import {
  assertWritable,
  type ConfigFileState,
  encodeText,
  readConfigFile,
  resolveTarget,
  sha256,
} from './config-file.ts';
import { ConfigFileError } from './config-file-error.ts';
import { type LockOptions, takeLock } from './file-lock.ts';
import { JsonText, JsonTextProblem } from './json-text.ts';
import type { TextChange } from './text-change.ts';
import { createFolders, ownerForNewFile, writeFileAtomically } from './write-file.ts';

/** One edit of one JSON settings file. */
export interface ConfigEdit {
  /** Path as the user knows it. Links are followed. */
  file: string;
  /** Makes the changes. Pure: it may run several times, each time on the text as it then is. */
  edit(text: JsonText): void;
  /** Whether a missing file counts as an empty object. Without it a missing file is left missing. */
  createMissing: boolean;
  /** Whether a file that is all on one line is laid out over several when it is changed. */
  spreadOneLiner?: boolean;
  /** Sentence for a user who has to make the change by hand; part of every refusal. */
  byHand?: string;
  lock?: LockOptions;
}

/** What an edit did to a file: enough to take it back byte for byte, and nothing of the user's content. */
export interface FileRecord {
  file: string;
  /** The real file behind links. */
  target: string;
  /** True when there was no file before. */
  created: boolean;
  /** Folders made for it, the outermost first. */
  createdFolders: string[];
  byteOrderMark: boolean;
  /** SHA-256 of the bytes before and after. */
  before: string;
  after: string;
  changes: TextChange[];
}

export interface EditOutcome {
  file: string;
  /** False when there was no file and none was to be created. */
  exists: boolean;
  changed: boolean;
  record?: FileRecord;
}

const RETRY_MS = 75;
const READ_TRIES = 3;
const WRITE_TRIES = 5;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Edits a JSON settings file in place: comments, order, indentation, line breaks, byte order mark, permissions and links
 * stay. Two editors never overwrite each other, and a reader sees the whole old file or the whole new one.
 *
 * @throws ConfigFileError when the file must not be written; its bytes are as they were then.
 */
export async function editConfigFile(request: ConfigEdit): Promise<EditOutcome> {
  const target = targetOf(request);
  if (target === undefined) return { file: request.file, exists: false, changed: false };
  const plan = await planSettled(request, target);
  if (plan.state === undefined && !request.createMissing)
    return { file: request.file, exists: false, changed: false };
  if (plan.result === undefined) return { file: request.file, exists: true, changed: false };
  if (plan.state !== undefined) assertWritable(request.file, target, plan.state, request.byHand ?? '');
  return await writeUnderLock(request, target);
}

/**
 * Tells what an edit would do, without doing it.
 *
 * @throws ConfigFileError as {@link editConfigFile} would, as far as that can be known before the write.
 */
export async function previewEdit(request: ConfigEdit): Promise<Omit<EditOutcome, 'record'>> {
  const target = targetOf(request);
  const { file } = request;
  if (target === undefined) return { file, exists: false, changed: false };
  const { state, result } = await planSettled(request, target);
  if (state !== undefined && result !== undefined) assertWritable(file, target, state, request.byHand ?? '');
  return { file, exists: state !== undefined, changed: result !== undefined };
}

/** The real file. A link that leads nowhere is a missing file to an edit that only takes something out. */
function targetOf({ file, createMissing }: ConfigEdit): string | undefined {
  try {
    return resolveTarget(file);
  } catch (error) {
    const leadsNowhere = error instanceof ConfigFileError && error.code === 'CONFIG_LINK_BROKEN';
    if (leadsNowhere && !createMissing) return undefined;
    throw error;
  }
}

interface Plan {
  state: ConfigFileState | undefined;
  /** The edited text, or undefined when there is nothing to change. */
  result: JsonText | undefined;
}

/** Plans the edit. A file that is empty or broken is read again after a moment: somebody may be writing it. */
async function planSettled(request: ConfigEdit, target: string): Promise<Plan> {
  for (let tries = 1; ; tries++) {
    const state = readConfigFile(request.file, target);
    const isLast = tries === READ_TRIES;
    if (state === undefined && !request.createMissing) return { state, result: undefined };
    if (state?.bytes.length === 0 && !isLast) {
      await delay(RETRY_MS);
      continue;
    }
    try {
      return { state, result: edited(state?.text ?? '', request) };
    } catch (error) {
      if (!(error instanceof JsonTextProblem)) throw error;
      if (isLast) throw refusal(request, error);
    }
    await delay(RETRY_MS);
  }
}

/** The text after the edit, or undefined when the edit changes nothing. */
function edited(text: string, request: ConfigEdit): JsonText | undefined {
  const asItIs = new JsonText(text);
  request.edit(asItIs);
  if (!asItIs.isEdited) return undefined;
  if (request.spreadOneLiner !== true || !asItIs.wasOneLiner) return asItIs;
  const spread = new JsonText(text);
  spread.spreadOneLiner();
  request.edit(spread);
  return spread;
}

async function writeUnderLock(request: ConfigEdit, target: string): Promise<EditOutcome> {
  const folder = path.dirname(target);
  const createdFolders = await guardWrite(request, () => createFolders(folder));
  let written = false;
  try {
    const lock = await guardWrite(request, () => takeLock(request.file, target, request.lock));
    try {
      for (let tries = 1; tries <= WRITE_TRIES; tries++) {
        const plan = await planSettled(request, target);
        const { state, result } = plan;
        if (result === undefined) return { file: request.file, exists: state !== undefined, changed: false };
        const bytes = encodeText(result.text, state?.byteOrderMark ?? false);
        if (!lock.isHeld() || !isUnchanged(request.file, target, state)) continue;
        await guardWrite(request, () => writeFileAtomically(target, bytes, state ?? ownerForNewFile(folder)));
        written = true;
        const record = recordOf(request.file, target, createdFolders, state, result, bytes);
        return { file: request.file, exists: true, changed: true, record };
      }
    } finally {
      lock.release();
    }
  } finally {
    if (!written) removeEmptyFolders(createdFolders);
  }
  throw new ConfigFileError(
    'CONFIG_BUSY',
    request.file,
    'keeps changing while it is edited',
    'Close the program that writes it and run the command again.',
  );
}

function isUnchanged(file: string, target: string, state: ConfigFileState | undefined): boolean {
  const now = readConfigFile(file, target);
  if (now === undefined || state === undefined) return now === state;
  return now.bytes.equals(state.bytes);
}

function recordOf(
  file: string,
  target: string,
  createdFolders: string[],
  state: ConfigFileState | undefined,
  result: JsonText,
  bytes: Buffer,
): FileRecord {
  return {
    file,
    target,
    created: state === undefined,
    createdFolders,
    byteOrderMark: state?.byteOrderMark ?? false,
    before: sha256(state?.bytes ?? EMPTY),
    after: sha256(bytes),
    changes: [...result.changes],
  };
}

/** Removes folders that an edit made, as far as they are empty: the innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      fs.rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** Turns a system error of a write into a refusal that names the file. */
async function guardWrite<T>(request: ConfigEdit, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = systemErrorCode(error);
    if (error instanceof ConfigFileError || code === undefined) throw error;
    throw new ConfigFileError(
      'CONFIG_UNWRITABLE',
      request.file,
      `cannot be written (${error instanceof Error ? error.message : code})`,
      withHand('Make its folder writable to you and run the command again.', request),
      { cause: error },
    );
  }
}

function refusal(request: ConfigEdit, problem: JsonTextProblem): ConfigFileError {
  const fix = 'Correct the file and run the command again.';
  switch (problem.kind) {
    case 'not-json':
      return new ConfigFileError(
        'CONFIG_NOT_JSON',
        request.file,
        `is not valid JSON; refusing to overwrite it: ${problem.message}`,
        withHand(fix, request),
      );
    case 'not-an-object':
      return new ConfigFileError(
        'CONFIG_NOT_AN_OBJECT',
        request.file,
        `is not a JSON object; refusing to overwrite it: ${problem.message}`,
        withHand(fix, request),
      );
    case 'ambiguous':
      return new ConfigFileError(
        'CONFIG_AMBIGUOUS',
        request.file,
        `is ambiguous: ${problem.message}; refusing to choose`,
        withHand('Remove one of the two and run the command again.', request),
      );
  }
}

function withHand(fix: string, request: ConfigEdit): string {
  return request.byHand === undefined ? fix : `${fix} ${request.byHand}`;
}
