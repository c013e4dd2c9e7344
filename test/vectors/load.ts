import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One case of a vector file; what stands beside these keys depends on its kind. */
export interface VectorCase {
  name: string;
  kind?: string;
  [key: string]: unknown;
}

/** One vector file of the shared schema. */
export interface VectorFile {
  format: string;
  file: string;
  schema: { file: string };
  cases: VectorCase[];
}

/** Runs one case; throws where the product differs. */
export type CaseRunner = (testCase: VectorCase) => void | Promise<void>;

/** Runners of one area by case kind. Cases without a kind run under `case`. */
export type KindRunners = Record<string, CaseRunner>;

/** The folder whose vector files are run: OMNI_DEV_VECTORS, or the project's own copy. */
export function vectorsDir(): string {
  return process.env.OMNI_DEV_VECTORS ?? path.join(import.meta.dirname, 'data');
}

/** Every vector file in the folder, by name. Other JSON files are passed over. */
export function loadVectorFiles(dir: string): { name: string; content: VectorFile }[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, content: JSON.parse(readFileSync(path.join(dir, name), 'utf8')) as VectorFile }))
    .filter(({ content }) => content.format === 'session-vectors' && Array.isArray(content.cases));
}
