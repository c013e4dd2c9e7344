import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoopbackModel, sendJson, startEvents, startLoopback } from './loopback-server.ts';

/** Silence before an answer: long enough for `working` to be seen. */
const PACE_MS = 700;

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

interface MessagesRequest {
  model?: string;
  stream?: boolean;
  tools?: unknown[];
  messages?: { role: string; content: unknown }[];
}

/** Claude's model: it asks to write a file, and says a word once that was answered. */
export function startClaudeModel(): Promise<LoopbackModel> {
  return startLoopback(async (route, body, response) => {
    if (route === 'POST /v1/messages') {
      await answer(JSON.parse(body) as MessagesRequest, response);
      return true;
    }
    if (route === 'POST /v1/messages/count_tokens') sendJson(response, 200, { input_tokens: 100 });
    else if (route === 'GET /v1/models') sendJson(response, 200, { data: [], has_more: false });
    else if (route.endsWith(' /') || route.endsWith(' /api/hello')) sendJson(response, 200, {});
    else
      sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no such path' } });
    return false;
  });
}

async function answer(request: MessagesRequest, response: ServerResponse): Promise<void> {
  await sleep(PACE_MS);
  const block = blockFor(request);
  const message = {
    id: 'msg_selftest',
    type: 'message',
    role: 'assistant',
    model: request.model,
    stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 10,
    },
  };
  if (request.stream !== true) return sendJson(response, 200, { ...message, content: [block] });
  const send = startEvents(response);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  send('content_block_start', { index: 0, content_block: emptied(block) });
  send('content_block_delta', { index: 0, delta: deltaOf(block) });
  send('content_block_stop', { index: 0 });
  const { stop_reason, stop_sequence } = message;
  send('message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: 10 } });
  send('message_stop', {});
  response.end();
}

/** Requests without tools are Claude's own, for titles and the like. */
function blockFor({ tools = [], messages = [] }: MessagesRequest): Block {
  const isAnswered = JSON.stringify(messages).includes('"tool_result"');
  if (tools.length === 0 || isAnswered) return { type: 'text', text: 'Done.' };
  // A tool that asks for permission, and a file that is not there yet.
  const input = { file_path: `${randomUUID()}.txt`, content: 'self-test\n' };
  return { type: 'tool_use', id: 'toolu_selftest', name: 'Write', input };
}

function emptied(block: Block): Block {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
}

function deltaOf(block: Block): object {
  return block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
}
