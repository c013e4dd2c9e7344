import path from 'node:path';
import { asList, asObject, asText } from '../files/jsonl-window.ts';
import { commitsIn, type Trace, type TraceReader } from '../files/trace.ts';
import { piPromptOf } from './session-file.ts';

const ACCESS: Readonly<Record<string, 'read' | 'written'>> = {
  read: 'read',
  write: 'written',
  edit: 'written',
};

const MARKS = ['"toolCall"', '"toolResult"', '"bashExecution"', '"role":"user"', '"type":"session"'].map(
  (m) => Buffer.from(m),
);

interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** Traces of a session file. A call counts once its result came back without an error. */
export class PiSessionTraces implements TraceReader {
  readonly #pending = new Map<string, Call>();
  #cwd: string | undefined;

  mayTell(line: Buffer): boolean {
    return MARKS.some((mark) => line.includes(mark));
  }

  push(record: Record<string, unknown>): Trace[] {
    if (record.type === 'session') this.#cwd = asText(record.cwd);
    const text = piPromptOf(record);
    if (text !== undefined) return [{ kind: 'prompt', text }];
    const message = record.type === 'message' ? asObject(record.message) : undefined;
    if (message?.role === 'assistant') this.#remember(message);
    if (message?.role === 'toolResult') return this.#finish(message);
    if (message?.role !== 'bashExecution') return [];
    const command = asText(message.command);
    return command === undefined ? [] : shellTraces(command, asText(message.output) ?? '');
  }

  #remember(message: Record<string, unknown>): void {
    for (const part of asList(message.content)) {
      const call = asObject(part);
      if (call?.type !== 'toolCall' || typeof call.id !== 'string' || typeof call.name !== 'string') continue;
      this.#pending.set(call.id, { name: call.name, input: asObject(call.arguments) ?? {} });
    }
  }

  #finish(result: Record<string, unknown>): Trace[] {
    const id = asText(result.toolCallId) ?? '';
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (call === undefined || result.isError === true) return [];
    const command = call.name === 'bash' ? asText(call.input.command) : undefined;
    if (command !== undefined) return shellTraces(command, outputOf(result));
    const access = ACCESS[call.name];
    const file = asText(call.input.path) ?? asText(call.input.file_path);
    if (access === undefined || file === undefined) return [];
    if (!path.isAbsolute(file) && this.#cwd === undefined) return [];
    return [{ kind: 'file', path: path.resolve(this.#cwd ?? '/', file), access }];
  }
}

function shellTraces(command: string, output: string): Trace[] {
  return [{ kind: 'command', text: command }, ...commitsIn(command, output)];
}

function outputOf(result: Record<string, unknown>): string {
  return asList(result.content)
    .flatMap((part) => asText(asObject(part)?.text) ?? [])
    .join('\n');
}
