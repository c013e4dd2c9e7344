import type { CliContext } from '../context.ts';
import type { DaemonAccess } from '../daemon-access.ts';

/** The jump of a live table to where a session runs. Its code is loaded with the first jump. */
export function focusFrom(context: CliContext, access: DaemonAccess): (sessionId: string) => Promise<string> {
  return async (sessionId) => {
    const { focusSession } = await import('../focus/focus.ts');
    return focusSession(context, access, sessionId).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
  };
}
