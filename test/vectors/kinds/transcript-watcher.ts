import path from 'node:path';
import { expect } from 'vitest';
import { encodeProjectFolder, transcriptsRoot } from '../../../daemon-lite/feeds/transcript-paths.ts';
import {
  TranscriptScan,
  type TranscriptSighting,
  transcriptObservation,
  transcriptSessionId,
} from '../../../daemon-lite/feeds/transcript-scan.ts';
import { expectSame } from '../compare.ts';
import type { KindRunners, VectorCase } from '../load.ts';

interface Scan {
  now: number;
  files: Record<string, { size: number; mtime: number }>;
  sightings: TranscriptSighting[];
}

function lookAt(watcher: TranscriptScan, { now, files }: Scan): TranscriptSighting[] {
  return Object.entries(files).flatMap(([file, { size, mtime }]) => {
    const id = file.split('/').length === 2 ? transcriptSessionId(path.posix.basename(file)) : undefined;
    if (id === undefined) return [];
    return watcher.look(file, id, { size, mtimeMs: mtime * 1000 }, now * 1000) ?? [];
  });
}

function scan(testCase: VectorCase): void {
  const watcher = new TranscriptScan();
  for (const step of testCase.scans as Scan[]) {
    const seen = lookAt(watcher, step);
    expect(seen).toHaveLength(step.sightings.length);
    expect(seen).toEqual(expect.arrayContaining(step.sightings));
  }
}

export const kinds: KindRunners = {
  scan,
  projects_dir: (testCase) => {
    const {
      env,
      home,
      expect: expected,
    } = testCase as unknown as {
      env: Record<string, string>;
      home: string;
      expect: string;
    };
    expect(transcriptsRoot({ env, home })).toBe(expected);
  },
  encode: (testCase) => expect(encodeProjectFolder(String(testCase.path))).toBe(testCase.expect),
  request: (testCase) => {
    expectSame(transcriptObservation(testCase.sighting as TranscriptSighting), testCase.payload as object);
  },
};
