import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../../../contract/paths.ts';
import type { CliContext } from '../../context.ts';

type Words = [string, ...string[]];

/** The programs as agents and editors start them. */
export interface CanaryPrograms {
  /** Words in front of `sessions hook` and `daemon run`. */
  command: Words;
  /** Words in front of the agent's own command. */
  wrapper: Words;
  /** `the installed …` or `this build's …`, for the texts. */
  whose: { command: string; wrapper: string };
}

/** The installed programs where there are any, for those run every day; else this build's own. */
export function canaryPrograms({ around, programsDir }: CliContext): CanaryPrograms {
  const { commandShim, wrapperShim } = resolvePaths(around);
  const own = (name: string, ...words: string[]): Words => [
    process.execPath,
    path.join(programsDir, name),
    ...words,
  ];
  const hasCommand = existsSync(commandShim);
  const hasWrapper = existsSync(wrapperShim);
  return {
    command: hasCommand ? [commandShim] : own('omni-dev.cjs'),
    wrapper: hasWrapper ? [wrapperShim] : own('claude-wrap.cjs', '--'),
    whose: {
      command: hasCommand ? 'the installed sink' : "this build's sink",
      wrapper: hasWrapper ? 'the installed wrapper' : "this build's wrapper",
    },
  };
}
