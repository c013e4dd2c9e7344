import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, type ModelPlan, ModelScript, type ModelStep } from './model-script.ts';

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

/** A running mock of the model API, reachable on loopback only. */
export interface MockModel {
  url: string;
  port: number;
  /** How many model requests were served, and what they asked for; no content. */
  requests: { lane: Lane; model: string }[];
  close(): Promise<void>;
}

const madeUpId = (prefix: string) => `${prefix}_mock_${randomBytes(8).toString('hex')}`;

function contentBlocks(step: ModelStep): Block[] {
  const blocks: Block[] = [];
  if (step.thinking !== undefined) {
    blocks.push({ type: 'thinking', thinking: step.thinking, signature: 'bW9jaw==' });
  }
  if (step.text !== undefined) blocks.push({ type: 'text', text: step.text });
  for (const { name, input } of step.tools ?? []) {
    blocks.push({ type: 'tool_use', id: madeUpId('toolu'), name, input: input ?? {} });
  }
  return blocks;
}

function wholeMessage(step: ModelStep, model: string) {
  return {
    id: madeUpId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: contentBlocks(step),
    stop_reason: step.stop_reason ?? (step.tools?.length ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: step.input_tokens ?? 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: step.output_tokens ?? 10,
    },
  };
}

/** Writes one message as server-sent events, with the scripted pauses. Stops when the client has gone. */
class EventStream {
  readonly #response: http.ServerResponse;
  readonly #step: ModelStep;

  constructor(response: http.ServerResponse, step: ModelStep) {
    this.#response = response;
    this.#step = step;
  }

  async write(message: ReturnType<typeof wholeMessage>): Promise<void> {
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'request-id': madeUpId('req'),
    });
    const usage = { ...message.usage, output_tokens: 1 };
    this.#send('message_start', { message: { ...message, content: [], stop_reason: null, usage } });
    await this.#stall();
    for (const [index, block] of message.content.entries()) await this.#block(index, block);
    this.#send('message_delta', {
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: message.usage.output_tokens },
    });
    this.#send('message_stop', {});
    this.#response.end();
  }

  #send(event: string, data: Record<string, unknown>): void {
    if (this.#response.destroyed) return;
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`);
  }

  async #stall(): Promise<void> {
    for (let left = this.#step.stall_ms ?? 0; left > 0 && !this.#response.destroyed; left -= 1_000) {
      this.#send('ping', {});
      await sleep(Math.min(left, 1_000));
    }
  }

  async #block(index: number, block: Block): Promise<void> {
    this.#send('content_block_start', { index, content_block: emptied(block) });
    for (const delta of deltas(block)) {
      if (this.#response.destroyed) return;
      this.#send('content_block_delta', { index, delta });
      if (block.type === 'text' && this.#step.chunk_ms !== undefined) await sleep(this.#step.chunk_ms);
    }
    this.#send('content_block_stop', { index });
  }
}

function emptied(block: Block): Block {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltas(block: Block): Record<string, unknown>[] {
  if (block.type === 'text') return block.text.split(/(?<= )/).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    return [
      { type: 'thinking_delta', thinking: block.thinking },
      { type: 'signature_delta', signature: block.signature },
    ];
  }
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
}

function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': madeUpId('req') });
  response.end(JSON.stringify(body));
}

interface MessagesRequest {
  model: string;
  stream?: boolean;
  tools?: unknown[];
  messages?: { role: string }[];
}

async function serveMessages(
  response: http.ServerResponse,
  bodyText: string,
  script: ModelScript,
  paceMs: number,
): Promise<{ lane: Lane; model: string }> {
  const body = JSON.parse(bodyText) as MessagesRequest;
  const lane: Lane = body.tools?.length ? 'main' : 'side';
  const opening = JSON.stringify(body.messages?.find(({ role }) => role === 'user') ?? null);
  const step = script.next(lane, bodyText, opening);
  await sleep(step.delay_ms ?? paceMs);
  const served = { lane, model: body.model };
  if (response.destroyed) return served;
  if (step.status !== undefined) {
    const error = { type: step.error ?? 'api_error', message: step.message ?? 'Scripted failure' };
    sendJson(response, step.status, { type: 'error', error });
    return served;
  }
  const message = wholeMessage(step, body.model);
  if (body.stream) await new EventStream(response, step).write(message);
  else sendJson(response, 200, message);
  return served;
}

/**
 * Starts a scripted stand-in for the Anthropic Messages API on 127.0.0.1.
 *
 * @param paceMs silence before a step that names no `delay_ms` of its own, so that no state of a turn is too short to
 *   be seen.
 */
export async function startMockAnthropic(plan: ModelPlan | undefined, paceMs = 0): Promise<MockModel> {
  const script = new ModelScript(plan);
  const requests: MockModel['requests'] = [];
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const route = (request.url ?? '').split('?')[0];
    if (request.method === 'POST' && route === '/v1/messages') {
      requests.push(await serveMessages(response, Buffer.concat(chunks).toString('utf8'), script, paceMs));
    } else if (route === '/v1/messages/count_tokens') sendJson(response, 200, { input_tokens: 1_000 });
    else if (route === '/v1/models') sendJson(response, 200, { data: [], has_more: false });
    else if (route === '/' || route === '/api/hello') sendJson(response, 200, {});
    else
      sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no such path' } });
  };
  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
