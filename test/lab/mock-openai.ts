import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A call of a tool: of a function by name, or of a custom (free-form) tool. */
interface ModelCall {
  tool?: string;
  args?: Record<string, unknown>;
  namespace?: string;
  custom?: string;
  input?: string;
}

/** What the mock does with one request. Every key is optional. */
export interface CodexModelStep extends ModelCall {
  text?: string;
  /** Wait before the first output; `response.created` is sent first. */
  delayMs?: number;
  /** Send `response.created` and then nothing until the client leaves. */
  silent?: boolean;
  /** Refuse with a plain HTTP error. */
  error?: { status: number; message: string };
}

/** Steps for the turns whose prompt fits. */
export interface CodexModelScript {
  when: RegExp;
  steps: CodexModelStep[];
}

/** A running mock, reachable on loopback only. */
export interface CodexModel {
  url: string;
  /** Headers of each model request that say who asks; no content. */
  requests: { originator: string | undefined; userAgent: string | undefined; script: string | undefined }[];
  close(): Promise<void>;
}

interface InputItem {
  type?: string;
  role?: string;
  content?: string | { text?: string; encrypted_content?: string }[];
}

interface ResponsesBody {
  model?: string;
  input?: string | InputItem[];
}

const madeUpId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

function textOf({ content }: InputItem): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? part.encrypted_content ?? '').join('\n');
}

/**
 * The step for a request. The mock keeps no state: the last prompt that fits a script picks the script, and the number
 * of tool outputs after it the step, so that a thread, its subagent and a retry never steal each other's turns.
 */
function pick(body: ResponsesBody, scripts: CodexModelScript[]): { step: CodexModelStep; script?: string } {
  const input: InputItem[] = Array.isArray(body.input)
    ? body.input
    : [{ role: 'user', content: body.input ?? '' }];
  for (let at = input.length - 1; at >= 0; at -= 1) {
    const item = input[at];
    if (item === undefined || (item.role !== 'user' && item.type !== 'agent_message')) continue;
    const script = scripts.find(({ when }) => when.test(textOf(item)));
    if (script === undefined) continue;
    const outputs = input.slice(at + 1).filter(({ type }) => type?.endsWith('_call_output')).length;
    const step = script.steps[Math.min(outputs, script.steps.length - 1)];
    return { step: step ?? {}, script: script.when.source };
  }
  return { step: { text: 'ok' } };
}

function outputItems(step: CodexModelStep): Record<string, unknown>[] {
  const items: Record<string, unknown>[] = [];
  if (step.text !== undefined) {
    const content = [{ type: 'output_text', text: step.text, annotations: [] }];
    items.push({ type: 'message', id: madeUpId('msg'), role: 'assistant', status: 'completed', content });
  }
  const common = { status: 'completed', call_id: madeUpId('call') };
  const spoken = step.namespace === undefined ? common : { ...common, namespace: step.namespace };
  if (step.custom !== undefined) {
    const { custom: name, input = '' } = step;
    items.push({ type: 'custom_tool_call', id: madeUpId('ctc'), name, input, ...spoken });
  }
  if (step.tool !== undefined) {
    const args = JSON.stringify(step.args ?? {});
    items.push({ type: 'function_call', id: madeUpId('fc'), name: step.tool, arguments: args, ...spoken });
  }
  return items;
}

/** Streams one response as server-sent events. */
async function respond(
  response: http.ServerResponse,
  body: ResponsesBody,
  step: CodexModelStep,
): Promise<void> {
  if (step.error !== undefined) {
    const { status, message } = step.error;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message, code: 'mock_error', type: 'mock_error' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let number = 0;
  const send = (type: string, data: object) => {
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`,
    );
  };
  const head = { id: madeUpId('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000) };
  const whole = { ...head, model: body.model, output: [] as unknown[] };
  send('response.created', { response: { ...whole, status: 'in_progress' } });
  if (step.silent) return;
  if (step.delayMs !== undefined) await sleep(step.delayMs);
  const items = outputItems(step);
  for (const [output_index, item] of items.entries()) {
    const isMessage = item.type === 'message';
    const added = isMessage ? { ...item, status: 'in_progress', content: [] } : item;
    send('response.output_item.added', { output_index, item: added });
    if (isMessage) {
      const place = { output_index, item_id: item.id, content_index: 0 };
      send('response.content_part.added', {
        ...place,
        part: { type: 'output_text', text: '', annotations: [] },
      });
      send('response.output_text.delta', { ...place, delta: step.text });
    }
    send('response.output_item.done', { output_index, item });
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  send('response.completed', { response: { ...whole, status: 'completed', output: items, usage } });
  response.end();
}

async function readBody(request: http.IncomingMessage): Promise<ResponsesBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
  const decode = decoders[request.headers['content-encoding'] as keyof typeof decoders];
  return JSON.parse((decode?.(raw) ?? raw).toString('utf8')) as ResponsesBody;
}

/** Starts a scripted stand-in for the OpenAI Responses API on 127.0.0.1. */
export async function startMockOpenai(scripts: CodexModelScript[]): Promise<CodexModel> {
  const requests: CodexModel['requests'] = [];
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const route = (request.url ?? '').split('?')[0];
    if (request.method === 'POST' && route === '/v1/responses') {
      const body = await readBody(request);
      const { step, script } = pick(body, scripts);
      const originator = String(request.headers.originator ?? '') || undefined;
      requests.push({ originator, userAgent: request.headers['user-agent'], script });
      await respond(response, body, step);
      return;
    }
    const known = route === '/v1/models';
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { object: 'list', data: [], models: [] } : { error: {} }));
  };
  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
