// An MCP server over stdio with one tool, `ask`, that asks the user for a name.
import { createInterface } from 'node:readline';

const ASK = {
  name: 'ask',
  description: 'Asks the user for a name.',
  inputSchema: { type: 'object', properties: {} },
};
const ELICITATION_ID = 'elicit-1';
const ELICITATION = {
  message: 'What name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

let callId;
const say = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`);

const METHODS = {
  initialize: (id, { protocolVersion }) => {
    const serverInfo = { name: 'lab', version: '1.0.0' };
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  },
  'tools/list': (id) => say({ id, result: { tools: [ASK] } }),
  'tools/call': (id) => {
    callId = id;
    say({ id: ELICITATION_ID, method: 'elicitation/create', params: ELICITATION });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === ELICITATION_ID) say({ id: callId, result: { content: [{ type: 'text', text: 'answered' }] } });
  else if (method in METHODS) METHODS[method](id, params);
  else if (id !== undefined && method) say({ id, error: { code: -32601, message: 'no such method' } });
});
