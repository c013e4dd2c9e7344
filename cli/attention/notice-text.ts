import { cellText } from '../view/cells.ts';
import { shortDuration } from '../view/duration.ts';
import type { Row } from '../view/row.ts';
import type { Notice } from './wait-notices.ts';

const HEADS: Record<Notice['kind'], string> = {
  permission: 'needs your permission',
  input: 'waits for your answer',
  failed: 'ended its turn with an error',
  done: 'is done',
};

const AGENTS: Record<Row['agent'], string> = { claude: 'Claude', codex: 'Codex', pi: 'pi' };

/** A notice as title and body, one line each, without control characters. */
export function noticeText({ kind, row }: Notice): { title: string; body: string } {
  return {
    title: cellText(`${AGENTS[row.agent]} ${HEADS[kind]}`),
    body: cellText(row.cwd === undefined ? row.name : `${row.name} · ${row.cwd}`),
  };
}

/** A notice as JSON for a user's command: ids, words and paths, as they came from the daemon. */
export function noticeJson({ kind, row }: Notice, nowMs: number): string {
  const { id: session_id, agent, state, name, repo, cwd, model, since, outcome } = row;
  const waited = since === undefined ? undefined : shortDuration(nowMs - since);
  return `${JSON.stringify({ notice: kind, session_id, agent, state, name, repo, cwd, model, outcome, waited })}\n`;
}
