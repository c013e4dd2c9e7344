import type { SessionEntry } from '../../../contract/messages.ts';
import { sanitize } from '../../../contract/sanitize.ts';

/** A word that a POSIX shell takes as it is. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function agentCommand(entry: SessionEntry): string[] {
  switch (entry.agent) {
    case 'codex':
      return ['codex', 'resume', entry.session_id];
    case 'pi':
      return ['pi', '--session', entry.transcript_path ?? entry.session_id];
    default:
      return ['claude', '--resume', entry.session_id];
  }
}

/**
 * The shell line that resumes a session in its directory, or undefined when an id or path holds control characters: a
 * pasted escape sequence could run something else. An id that begins with a dash is refused as well, it would be an
 * option.
 */
export function resumeCommand(entry: SessionEntry): string | undefined {
  const words = agentCommand(entry);
  const cwd = entry.cwd ?? '';
  if ([...words, cwd].some((word) => sanitize(word) !== word)) return undefined;
  if (words.at(-1)?.startsWith('-') ?? true) return undefined;
  const command = words.map(shellWord).join(' ');
  return cwd === '' ? command : `cd -- ${shellWord(cwd)} && ${command}`;
}
