import type { ProcessTable } from '../../agents/system/process-table.ts';
import type { ProcessFacts, ProcessView } from '../registry/processes.ts';

const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'dash',
  'bash',
  'zsh',
  'fish',
  'ksh',
  'ash',
  'busybox',
  'csh',
  'tcsh',
]);

/** What the registry may ask about a process, answered from this machine's process table. */
export function processView(table: ProcessTable): ProcessView {
  return {
    look(pid): ProcessFacts | undefined {
      const entry = table.read(pid);
      if (entry === undefined) return undefined;
      if (entry === null || entry.zombie) return { alive: false };
      return {
        alive: true,
        token: entry.token,
        parent: entry.parent,
        shell: SHELLS.has(entry.name),
        shared: servesManySessions(table, entry.name, pid),
      };
    },
  };
}

/** Codex's app-server runs the threads of several terminals: its pid is no session's own. */
function servesManySessions(table: ProcessTable, name: string, pid: number): boolean {
  if (!name.startsWith('codex')) return false;
  return table.argumentsOf(pid)?.includes('app-server') === true;
}
