import type { Evidence } from '../../../catalog/evidence/evidence.ts';
import { shellLine } from '../../../catalog/resume.ts';
import type { Session } from '../../../catalog/session.ts';
import type { Paint } from '../../view/paint.ts';
import { AGENT_NAMES, ago, STATE_TONES, shown, titleOf } from './table.ts';

const LISTED = 10;
const LABEL_WIDTH = 12;

/** The text of `sessions show`. */
export function sessionDetails(session: Session, paint: Paint, now: number): string[] {
  const { links } = session;
  const field = (label: string, value: string | undefined) =>
    value === undefined || value === '' ? [] : [`${paint.dim(label.padEnd(LABEL_WIDTH))}${value}`];
  return [
    paint.heading(titleOf(session)),
    ...field('session', `${AGENT_NAMES[session.harness]}:${shown(session.id)}`),
    ...field('state', `${paint.tone(STATE_TONES[session.state], session.state)}${runtimeText(session)}`),
    ...field('directory', session.cwd === undefined ? undefined : shown(session.cwd)),
    ...field('repository', session.repository === undefined ? undefined : shown(session.repository)),
    ...field('branch', session.gitBranch === undefined ? undefined : shown(session.gitBranch)),
    ...field('started', timeText(session.createdAt, now)),
    ...field('active', timeText(session.lastActivityAt, now)),
    ...field('typed', timeText(session.lastHumanActivityAt, now)),
    ...field('forked from', links?.forkedFrom === undefined ? undefined : shown(links.forkedFrom)),
    ...field('continues', links?.continues === undefined ? undefined : shown(links.continues)),
    ...session.recentPrompts.flatMap((prompt, index) =>
      field(index === 0 ? 'prompts' : '', `> ${shown(prompt)}`),
    ),
    ...(session.evidence === undefined ? [] : evidenceLines(session.evidence, field)),
    ...field('transcript', shown(session.transcript)),
    ...field('resume', session.resume === undefined ? 'nothing to resume' : shown(shellLine(session.resume))),
  ];
}

type Field = (label: string, value: string | undefined) => string[];

function evidenceLines(evidence: Evidence, field: Field): string[] {
  const list = (label: string, items: readonly string[]) => {
    const more = items.length - LISTED;
    return [
      ...items.slice(0, LISTED).flatMap((item, index) => field(index === 0 ? label : '', shown(item))),
      ...(more > 0 ? field('', `and ${more} more`) : []),
    ];
  };
  return [
    ...list(
      'touched',
      evidence.repositories.map(({ id, folder }) => (id === undefined ? folder : `${id} (${folder})`)),
    ),
    ...list(
      'files',
      evidence.files.map(({ path, access }) => `${path} (${access})`),
    ),
    ...list(
      'commits',
      evidence.commits.map(({ sha, subject }) => `${sha} ${subject ?? ''}`),
    ),
    ...list(
      'work',
      evidence.workRefs.map(({ id, places }) => `${id} (${places.join(', ')})`),
    ),
    ...field(
      '',
      `at least: what is missing was not seen${evidence.complete ? '' : '; not all of it was read'}`,
    ),
  ];
}

/** The evidence in one line. */
export function evidenceSummary(evidence: Evidence): string {
  const written = evidence.files.filter(({ access }) => access === 'written').length;
  const commits = evidence.commits.length;
  const parts = [
    `${written} ${written === 1 ? 'file' : 'files'} written`,
    `${evidence.files.length - written} read`,
    `${commits} ${commits === 1 ? 'commit' : 'commits'}`,
    ...evidence.workRefs.slice(0, 3).map(({ id }) => id),
  ];
  return shown(`at least ${parts.join(', ')}`);
}

function runtimeText({ runtime, archived }: Session): string {
  const words = [
    runtime?.pid === undefined ? '' : `pid ${runtime.pid}`,
    runtime?.state ?? '',
    runtime === undefined ? '' : `by ${runtime.source}`,
    archived ? 'archived' : '',
  ].filter(Boolean);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function timeText(time: string | undefined, now: number): string | undefined {
  return time === undefined ? undefined : `${time} (${ago(time, now)} ago)`;
}
