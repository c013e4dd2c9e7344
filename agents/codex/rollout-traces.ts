import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { asList, asObject, asText } from '../files/jsonl-window.ts';
import { commitsIn, type Trace, type TraceReader } from '../files/trace.ts';
import { rolloutPromptOf } from './rollout-prompt.ts';

const MARKS = [
  '"CommandExecution"',
  '"FileChange"',
  '"exec_command_end"',
  '"patch_apply_end"',
  '"UserMessage"',
  '"user_message"',
].map((mark) => Buffer.from(mark));

/** Traces of a rollout, from the records of finished commands and applied patches. */
export class RolloutTraces implements TraceReader {
  mayTell(line: Buffer): boolean {
    return MARKS.some((mark) => line.includes(mark));
  }

  push(record: Record<string, unknown>): Trace[] {
    const prompt = rolloutPromptOf(record);
    if (prompt !== undefined) return [{ kind: 'prompt', text: prompt.text }];
    const payload = record.type === 'event_msg' ? asObject(record.payload) : undefined;
    const item = payload?.type === 'item_completed' ? asObject(payload.item) : payload;
    switch (item?.type) {
      case 'CommandExecution':
      case 'exec_command_end':
        return commandTraces(item);
      case 'FileChange':
        return item.status === 'completed' ? changeTraces(item) : [];
      case 'patch_apply_end':
        return item.success === true ? changeTraces(item) : [];
      default:
        return [];
    }
  }
}

function changeTraces(item: Record<string, unknown>): Trace[] {
  return Object.keys(asObject(item.changes) ?? {})
    .filter((file) => path.isAbsolute(file))
    .map((file) => ({ kind: 'file', path: path.normalize(file), access: 'written' }));
}

function commandTraces(item: Record<string, unknown>): Trace[] {
  const words = asList(item.command).filter((word) => typeof word === 'string');
  // A command runs as `bash -lc <text>`: the text is what a person would call the command.
  const text = words.at(-1);
  if (text === undefined || item.status === 'declined') return [];
  const output = asText(item.aggregated_output) ?? asText(item.stdout) ?? '';
  return [
    { kind: 'command', text },
    ...readTraces(item),
    ...(succeeded(item) ? commitsIn(text, output) : []),
  ];
}

function succeeded(item: Record<string, unknown>): boolean {
  return item.exit_code === undefined || item.exit_code === 0;
}

/** Files that Codex itself recognised a command to read. */
function readTraces(item: Record<string, unknown>): Trace[] {
  const cwd = folderOf(asText(item.cwd));
  if (!succeeded(item) || cwd === undefined) return [];
  return asList(item.parsed_cmd).flatMap((part): Trace[] => {
    const parsed = asObject(part);
    const file = parsed?.type === 'read' ? (asText(parsed.path) ?? asText(parsed.name)) : undefined;
    return file === undefined ? [] : [{ kind: 'file', path: path.resolve(cwd, file), access: 'read' }];
  });
}

function folderOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined) return undefined;
  if (path.isAbsolute(cwd)) return cwd;
  try {
    return fileURLToPath(cwd);
  } catch {
    return undefined;
  }
}
