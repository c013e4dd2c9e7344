import type { Background } from '../../contract/events.ts';
import { objectOf, textOf } from './stream-line.ts';

/** Most tasks that are remembered; a list is bounded by the line limit, single announcements by this. */
const TASKS_LIMIT = 1_024;

type TaskKind = keyof Background;

interface Task {
  kind: TaskKind | undefined;
  inBackground: boolean;
}

/**
 * What runs on beside the conversation. Claude's own list (`background_tasks_changed`) is complete and replaces
 * everything; single task lines serve versions that do not send it.
 */
export class BackgroundTasks {
  readonly #tasks = new Map<string, Task>();
  #known = false;

  /** Takes a system line about tasks; false when the subtype is about something else. */
  take(subtype: string | undefined, fields: Record<string, unknown>): boolean {
    switch (subtype) {
      case 'background_tasks_changed':
        this.#replaceAll(fields.tasks);
        return true;
      case 'task_started':
        this.#started(fields);
        return true;
      case 'task_updated':
        this.#updated(fields);
        return true;
      case 'task_notification':
        this.#tasks.delete(textOf(fields.task_id) ?? '');
        return true;
      default:
        return false;
    }
  }

  /** A list that is none changes nothing. */
  #replaceAll(tasks: unknown): void {
    if (!Array.isArray(tasks)) return;
    this.#known = true;
    this.#tasks.clear();
    for (const entry of tasks) {
      const task = objectOf(entry);
      const id = textOf(task?.task_id);
      if (id !== undefined) this.#remember(id, { kind: kindOf(task?.task_type), inBackground: true });
    }
  }

  /** A task is a background one only when it says so, a slow foreground command sends the line too. */
  #started(fields: Record<string, unknown>): void {
    const id = textOf(fields.task_id);
    if (id === undefined) return;
    const inBackground = fields.is_backgrounded === true;
    this.#known ||= inBackground;
    this.#remember(id, { kind: kindOf(fields.task_type), inBackground });
  }

  /** A running task may be sent to the background. */
  #updated(fields: Record<string, unknown>): void {
    const task = this.#tasks.get(textOf(fields.task_id) ?? '');
    if (task === undefined || objectOf(fields.patch)?.is_backgrounded !== true) return;
    task.inBackground = true;
    this.#known = true;
  }

  /** The counts, or undefined as long as the stream never spoke of background work. */
  get counts(): Background | undefined {
    if (!this.#known) return undefined;
    const counts: Background = { subagents: 0, shells: 0 };
    for (const { kind, inBackground } of this.#tasks.values())
      if (inBackground && kind !== undefined) counts[kind] += 1;
    return counts;
  }

  #remember(id: string, task: Task): void {
    if (this.#tasks.size < TASKS_LIMIT || this.#tasks.has(id)) this.#tasks.set(id, task);
  }
}

/** `local_agent` and `local_bash` today; a kind that is neither counts as nothing. */
function kindOf(taskType: unknown): TaskKind | undefined {
  const type = textOf(taskType) ?? '';
  if (type.includes('agent')) return 'subagents';
  return type.includes('bash') || type.includes('shell') ? 'shells' : undefined;
}
