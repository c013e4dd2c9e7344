import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running mock of a chat-completions API, reachable on loopback only. */
export interface MockChat {
  /** Base URL as a provider's configuration wants it. */
  url: string;
  close(): Promise<void>;
}

interface Message {
  role: string;
  content?: string | { text?: string }[];
}

type Delta = Record<string, unknown>;

/** Pause before each piece of a reply: long enough for `working` to be seen. */
const PACE_MS = 300;
/** Model requests in a row that a prompt with `overload` has refused before one is answered. */
const OVERLOADS = 2;

/**
 * Starts a mock of an OpenAI-compatible streaming endpoint. What it answers depends on the last user message: with
 * `use-tool` a call of `bash` (`echo hi`), with `sleep-tool` one that sleeps, with `ask-tool` one of `lab_ask`, each
 * followed by text; with `slow` a text that takes seconds; with `fail` HTTP 400, with `overload` HTTP 503 twice.
 */
export async function startMockChat(): Promise<MockChat> {
  let overloads = 0;
  const server = http.createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'mock-1', object: 'model' }] }));
      return;
    }
    const { messages = [], model = 'mock-1' } = JSON.parse(body || '{}') as {
      messages?: Message[];
      model?: string;
    };
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const prompt = textOf(messages[lastUser]);
    const toolAnswered = messages.slice(lastUser + 1).some(({ role }) => role === 'tool');
    if (prompt.includes('fail')) return refuse(response, 400, 'invalid_request_error');
    if (prompt.includes('overload') && overloads++ % (OVERLOADS + 1) < OVERLOADS)
      return refuse(response, 503, 'overloaded_error');
    await stream(response, model, toolAnswered ? [] : toolCall(prompt), prompt.includes('slow'));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

function refuse(response: http.ServerResponse, status: number, type: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: `mock ${type}`, type } }));
}

/** The tool call a prompt asks for, as the pieces of a reply. */
function toolCall(prompt: string): Delta[] {
  const call = (name: string, args: object): Delta[] => [
    {
      role: 'assistant',
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    },
  ];
  if (prompt.includes('use-tool')) return call('bash', { command: 'echo hi' });
  if (prompt.includes('sleep-tool')) return call('bash', { command: 'sleep 30' });
  if (prompt.includes('ask-tool')) return call('lab_ask', { question: 'Proceed?' });
  return [];
}

async function stream(
  response: http.ServerResponse,
  model: string,
  call: Delta[],
  slow: boolean,
): Promise<void> {
  const isCall = call.length > 0;
  const dots = Array.from({ length: slow ? 40 : 0 }, () => ({ content: '.' }));
  const deltas = isCall ? call : [{ role: 'assistant', content: 'mock ' }, ...dots, { content: 'reply' }];
  const base = { id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 1_764_500_000, model };
  const send = (piece: object) => response.write(`data: ${JSON.stringify({ ...base, ...piece })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas) {
    await sleep(PACE_MS);
    if (response.destroyed) return;
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } });
  response.end('data: [DONE]\n\n');
}
