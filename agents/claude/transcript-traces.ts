import path from 'node:path';
import { asObject, asObjects, asText } from '../files/jsonl-window.ts';
import { commitsIn, type Trace, type TraceReader } from '../files/trace.ts';
import { humanPromptOf } from './human-prompt.ts';

/** Claude's own file tools, and where each keeps its path. */
const FILE_TOOLS: Readonly<Record<string, { key: string; access: 'read' | 'written' }>> = {
  Read: { key: 'file_path', access: 'read' },
  NotebookRead: { key: 'notebook_path', access: 'read' },
  Write: { key: 'file_path', access: 'written' },
  Edit: { key: 'file_path', access: 'written' },
  MultiEdit: { key: 'file_path', access: 'written' },
  NotebookEdit: { key: 'notebook_path', access: 'written' },
};

const MARKS = ['"tool_use"', '"tool_result"', '"type":"user"', '"queued_command"'].map((m) => Buffer.from(m));

/** Calls whose result is waited for: more than any message holds. */
const PENDING_LIMIT = 1_000;

interface Call {
  name: string;
  input: Record<string, unknown>;
  cwd: string | undefined;
}

/** Traces of a transcript. A call counts once its result came back without an error: a refused one touched nothing. */
export class TranscriptTraces implements TraceReader {
  readonly #pending = new Map<string, Call>();

  mayTell(line: Buffer): boolean {
    return MARKS.some((mark) => line.includes(mark));
  }

  push(record: Record<string, unknown>): Trace[] {
    const prompt = humanPromptOf(record);
    if (prompt !== undefined) return [{ kind: 'prompt', text: prompt.text }];
    const blocks = asObjects(asObject(record.message)?.content);
    if (record.type === 'assistant') this.#remember(blocks, asText(record.cwd));
    return record.type === 'user' ? blocks.flatMap((block) => this.#finish(block, record)) : [];
  }

  #remember(blocks: readonly Record<string, unknown>[], cwd: string | undefined): void {
    for (const { type, id, name, input } of blocks) {
      if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') continue;
      if (this.#pending.size >= PENDING_LIMIT) this.#pending.clear();
      this.#pending.set(id, { name, input: asObject(input) ?? {}, cwd });
    }
  }

  #finish(block: Record<string, unknown>, record: Record<string, unknown>): Trace[] {
    if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return [];
    const call = this.#pending.get(block.tool_use_id);
    this.#pending.delete(block.tool_use_id);
    if (call === undefined || block.is_error === true) return [];
    return call.name === 'Bash'
      ? commandTraces(call, block, asObject(record.toolUseResult))
      : fileTraces(call);
  }
}

function fileTraces(call: Call): Trace[] {
  const tool = FILE_TOOLS[call.name];
  const file = tool === undefined ? undefined : asText(call.input[tool.key]);
  if (tool === undefined || file === undefined) return [];
  if (!path.isAbsolute(file) && call.cwd === undefined) return [];
  return [{ kind: 'file', path: path.resolve(call.cwd ?? '/', file), access: tool.access }];
}

function commandTraces(
  call: Call,
  block: Record<string, unknown>,
  result: Record<string, unknown> | undefined,
): Trace[] {
  const command = asText(call.input.command);
  if (command === undefined) return [];
  const printed = commitsIn(command, asText(result?.stdout) ?? asText(block.content) ?? '');
  const reported = asObject(asObject(result?.gitOperation)?.commit);
  const sha = asText(reported?.sha);
  const branch = asText(reported?.branch);
  const isPrinted = printed.some((trace) => trace.kind === 'commit' && trace.sha === sha);
  return [
    { kind: 'command', text: command },
    ...printed,
    ...(sha === undefined || isPrinted
      ? []
      : [{ kind: 'commit' as const, sha, ...(branch === undefined ? {} : { branch }) }]),
  ];
}
