import type { SessionEntry } from '../../../contract/messages.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import { CUE_COLORS } from '../cues/decoration.ts';
import type { Row } from './row.ts';

const AGENT_NAMES: Readonly<Record<string, string>> = { claude: 'Claude', codex: 'Codex', pi: 'pi' };

const STATES: Readonly<Record<string, Pick<Row, 'icon' | 'iconColor'> & { words: string }>> = {
  starting: { words: 'starting', icon: 'ellipsis', iconColor: CUE_COLORS.idle },
  working: { words: 'working', icon: 'gear', iconColor: CUE_COLORS.working },
  idle: { words: 'idle', icon: 'circle-outline', iconColor: CUE_COLORS.idle },
  waiting_for_input: { words: 'needs your answer', icon: 'question', iconColor: CUE_COLORS.waiting },
  waiting_for_permission: { words: 'needs permission', icon: 'shield', iconColor: CUE_COLORS.waiting },
};

/** The agent's name as people write it. A daemon that predates the key knows Claude only. */
export function agentName(entry: SessionEntry): string {
  const agent: string = entry.agent ?? 'claude';
  return AGENT_NAMES[agent] ?? sanitize(agent);
}

/** True when the session sits idle after a turn that failed. */
export function hasFailed(entry: SessionEntry): boolean {
  return entry.outcome === 'failed' && entry.state === 'idle';
}

/** `1 subagent, 2 shells`, or undefined when nothing runs on in the background. */
function backgroundWords(entry: SessionEntry): string | undefined {
  const count = (many: number | undefined, one: string) =>
    typeof many === 'number' && many > 0 ? [`${many} ${one}${many === 1 ? '' : 's'}`] : [];
  const parts = [
    ...count(entry.background?.subagents, 'subagent'),
    ...count(entry.background?.shells, 'background shell'),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** In which of the windows the session shows, in words. */
export function sourceWords(entry: SessionEntry, ownKey: string): string {
  if (entry.source?.kind !== 'vs_code') return 'terminal';
  return entry.source.window_key === ownKey ? 'this window' : 'another window';
}

/** The row of one session: agent and state, then model, id and place. Holds no title and no prompt: none is known here. */
export function sessionRow(entry: SessionEntry, ownKey: string): Row {
  const state = STATES[entry.state] ?? { words: sanitize(entry.state), icon: 'circle-slash' };
  const failed = hasFailed(entry);
  const words = failed ? `${state.words}, last turn failed` : state.words;
  const name = agentName(entry);
  const place = sourceWords(entry, ownKey);
  const background = backgroundWords(entry);
  const model = entry.model === undefined ? undefined : sanitize(entry.model);
  const id = sanitize(entry.session_id);
  const iconColor = failed ? CUE_COLORS.failed : state.iconColor;
  return {
    id: `session:${entry.session_id}`,
    kind: 'session',
    label: `${name} · ${words}`,
    description: [background, model, id.slice(0, 8), place, entry.stale ? 'not observed' : undefined]
      .filter((part) => part !== undefined)
      .join(' · '),
    tooltip: [
      `${name} session ${id}`,
      `State: ${words}${entry.feed === undefined ? '' : ` (by ${sanitize(entry.feed)})`}`,
      ...(background === undefined ? [] : [`In the background: ${background}`]),
      ...(model === undefined ? [] : [`Model: ${model}`]),
      ...(entry.cwd === undefined ? [] : [`Directory: ${sanitize(entry.cwd)}`]),
      ...(entry.owners === undefined ? [] : [`Processes on this session: ${entry.owners}`]),
      ...(entry.stale ? ['The feed that gave this state is gone.'] : []),
      `Shows in: ${place}`,
    ].join('\n'),
    icon: failed ? 'error' : state.icon,
    ...(iconColor === undefined ? {} : { iconColor }),
  };
}
