import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoopbackModel, sendJson, startEvents, startLoopback } from './loopback-server.ts';

/** Silence before an answer: long enough for `working` to be seen. */
const PACE_MS = 400;

interface ResponsesRequest {
  model?: string;
  input?: unknown;
  tools?: { name?: string }[];
}

type Item = Record<string, unknown>;

const RUN = 'echo self-test';
const WHY = 'May the self-test run this?';

/** How a model calls for a command outside the sandbox, by the tool's name: it differs between versions. */
const CALLS: Record<string, object> = {
  exec_command: { cmd: RUN, sandbox_permissions: 'require_escalated', justification: WHY },
  shell_command: { command: RUN, sandbox_permissions: 'require_escalated', justification: WHY },
  shell: { command: ['echo', 'self-test'], with_escalated_permissions: true, justification: WHY },
};

/** Codex's model: it wants to run a command outside the sandbox, and says a word once that was answered. */
export function startCodexModel(): Promise<LoopbackModel> {
  return startLoopback(async (route, body, response) => {
    if (route === 'POST /v1/responses') {
      await answer(JSON.parse(body) as ResponsesRequest, response);
      return true;
    }
    const isList = route === 'GET /v1/models';
    sendJson(response, isList ? 200 : 404, isList ? { object: 'list', data: [], models: [] } : { error: {} });
    return false;
  });
}

async function answer(request: ResponsesRequest, response: ServerResponse): Promise<void> {
  const head = { id: 'resp_selftest', object: 'response', created_at: Math.floor(Date.now() / 1000) };
  const whole = { ...head, model: request.model, output: [] as Item[] };
  const send = startEvents(response);
  send('response.created', { response: { ...whole, status: 'in_progress' } });
  await sleep(PACE_MS);
  const item = itemFor(request);
  const isText = item.type === 'message';
  const added = isText ? { ...item, status: 'in_progress', content: [] } : item;
  send('response.output_item.added', { output_index: 0, item: added });
  if (isText) {
    const place = { output_index: 0, item_id: item.id, content_index: 0 };
    send('response.content_part.added', {
      ...place,
      part: { type: 'output_text', text: '', annotations: [] },
    });
    send('response.output_text.delta', { ...place, delta: 'Done.' });
  }
  send('response.output_item.done', { output_index: 0, item });
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  send('response.completed', { response: { ...whole, status: 'completed', output: [item], usage } });
  response.end();
}

function itemFor({ input, tools = [] }: ResponsesRequest): Item {
  const isAnswered = JSON.stringify(input ?? '').includes('_call_output"');
  const tool = tools.map(({ name }) => name ?? '').find((name) => Object.hasOwn(CALLS, name));
  if (isAnswered || tool === undefined) {
    const content = [{ type: 'output_text', text: 'Done.', annotations: [] }];
    return { type: 'message', id: 'msg_selftest', role: 'assistant', status: 'completed', content };
  }
  const call = { id: 'fc_selftest', call_id: 'call_selftest', status: 'completed' };
  return { type: 'function_call', name: tool, arguments: JSON.stringify(CALLS[tool]), ...call };
}
