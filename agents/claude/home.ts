import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';

/** The places of one Claude configuration folder that are read here. */
export interface ClaudeHome {
  /** `~/.claude`, or what `CLAUDE_CONFIG_DIR` names. */
  folder: string;
  /** `projects/<encoded cwd>/<session id>.jsonl`: the transcripts. */
  projects: string;
  /** `sessions/<pid>.json`: one record per live process. */
  liveRecords: string;
  /** `history.jsonl`: what was typed in terminals. */
  history: string;
}

/** Claude's configuration folder: `CLAUDE_CONFIG_DIR` where it is set, else `~/.claude`. */
export function claudeHome(around: Surroundings): ClaudeHome {
  const configured = around.env.CLAUDE_CONFIG_DIR?.trim();
  const folder = configured ? path.resolve(configured) : path.join(around.home, '.claude');
  return {
    folder,
    projects: path.join(folder, 'projects'),
    liveRecords: path.join(folder, 'sessions'),
    history: path.join(folder, 'history.jsonl'),
  };
}
