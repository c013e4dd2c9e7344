import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import type { Paths } from '../../contract/paths.ts';
import { removeEmptyFolders } from '../edit/edit-config-file.ts';
import { createFolders, ownerForNewFile, writeFileAtomically } from '../edit/write-file.ts';
import type { ServiceFile } from './service-files.ts';
import { readServiceRecord, type ServiceRecord, writeServiceRecord } from './service-record.ts';

/** What an installation does to one file; `refused`: somebody else's, or ours that somebody changed. */
export interface FileStep {
  file: string;
  change: 'create' | 'rewrite' | 'nothing' | 'refused';
}

/** Compares what is there with what is wanted. Writes nothing. */
export function planServiceFiles(paths: Paths, wanted: readonly ServiceFile[]): FileStep[] {
  const record = readServiceRecord(paths);
  return wanted.map((one) => {
    const present = contentOf(one.file);
    if (present === undefined) return { file: one.file, change: 'create' };
    if (present === wantedContent(one)) return { file: one.file, change: 'nothing' };
    return { file: one.file, change: isRecorded(record, one.file, present) ? 'rewrite' : 'refused' };
  });
}

/** @throws OmniDevError `SERVICE_FILE_FOREIGN` when a plan would have to write over what is not ours */
export function assertNoneRefused(steps: readonly FileStep[]): void {
  assertOurs(steps.filter(({ change }) => change === 'refused').map(({ file }) => file));
}

/**
 * Writes what a plan says, each file in one step, and records it first. True when anything was written.
 *
 * @throws OmniDevError `SERVICE_FILE_FOREIGN` before anything is written, `SERVICE_FILE_UNWRITABLE`
 */
export function writeServiceFiles(paths: Paths, socket: string, wanted: readonly ServiceFile[]): boolean {
  const steps = planServiceFiles(paths, wanted);
  assertNoneRefused(steps);
  const before = readServiceRecord(paths);
  if (before?.socket === socket && steps.every(({ change }) => change === 'nothing')) return false;
  const createdFolders = before?.createdFolders.slice() ?? [];
  for (const { file } of wanted) {
    guarded(file, () => createdFolders.push(...createFolders(path.dirname(file))));
  }
  const files = wanted.map((one) => {
    const present = contentOf(one.file);
    const contents = [wantedContent(one), ...(present === undefined ? [] : [present])];
    return { file: one.file, contents: [...new Set(contents)] };
  });
  // A file of an earlier installation that is not wanted any more (another configuration folder) stays ours to remove.
  const others = before?.files.filter(({ file }) => !wanted.some((one) => one.file === file)) ?? [];
  writeServiceRecord(paths, { version: 1, socket, files: [...files, ...others], createdFolders });
  for (const [at, one] of wanted.entries()) {
    if (steps[at]?.change !== 'nothing') guarded(one.file, () => writeOne(one));
  }
  return steps.some(({ change }) => change !== 'nothing');
}

/** Which files of ours are there. @throws OmniDevError `SERVICE_FILE_FOREIGN` when one of them is not as we wrote it */
export function removableServiceFiles(paths: Paths, wanted: readonly ServiceFile[]): string[] {
  const record = readServiceRecord(paths);
  if (record === undefined) {
    return wanted.filter((one) => contentOf(one.file) === wantedContent(one)).map(({ file }) => file);
  }
  const present = record.files.map(({ file }) => ({ file, content: contentOf(file) }));
  const there = present.filter(({ content }) => content !== undefined);
  assertOurs(
    there.filter(({ file, content }) => !isRecorded(record, file, content ?? '')).map(({ file }) => file),
  );
  return there.map(({ file }) => file);
}

/** Removes files that {@link removableServiceFiles} named, the folders made for them where they are empty, and the record. */
export function removeServiceFiles(paths: Paths, files: readonly string[]): void {
  for (const file of files) guarded(file, () => fs.rmSync(file, { force: true }));
  removeEmptyFolders(readServiceRecord(paths)?.createdFolders ?? []);
  writeServiceRecord(paths, undefined);
}

function writeOne(one: ServiceFile): void {
  if ('text' in one) {
    writeFileAtomically(one.file, one.text, { mode: 0o644, ...ownerForNewFile(path.dirname(one.file)) });
    return;
  }
  fs.rmSync(one.file, { force: true });
  fs.symlinkSync(one.linkTo, one.file);
}

/** A file's content as one word, so that texts and links compare alike; undefined when nothing is there. */
function contentOf(file: string): string | undefined {
  try {
    const stats = fs.lstatSync(file);
    if (stats.isSymbolicLink()) return `link ${path.resolve(path.dirname(file), fs.readlinkSync(file))}`;
    return stats.isFile() ? `sha256 ${hashOf(fs.readFileSync(file))}` : 'not a file';
  } catch (error) {
    const code = systemErrorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
  }
}

function wantedContent(one: ServiceFile): string {
  return 'text' in one ? `sha256 ${hashOf(one.text)}` : `link ${one.linkTo}`;
}

function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isRecorded(record: ServiceRecord | undefined, file: string, content: string): boolean {
  return record?.files.some((known) => known.file === file && known.contents.includes(content)) ?? false;
}

function assertOurs(foreign: readonly string[]): void {
  if (foreign.length === 0) return;
  const [verb, pronoun] = foreign.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new OmniDevError(
    'SERVICE_FILE_FOREIGN',
    `${foreign.join(' and ')} ${verb} not as omni-dev wrote ${pronoun}, so nothing was changed. ` +
      `Move ${pronoun} away and run the command again; changes of yours belong into a drop-in.`,
  );
}

function guarded(file: string, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new OmniDevError(
      'SERVICE_FILE_UNWRITABLE',
      `cannot write ${file}: ${code}. Make its folder writable to you and run the command again.`,
      { cause: error },
    );
  }
}
