// Stands for `claude` in the wrapper's benchmarks: writes stream-json as Claude Code does.
//   flood BYTES   turns one after the other, as fast as they are taken, then waits for the end of stdin
//   paced         for each line on stdin one message, stamped with the time at which it was written; a change of state
//                 goes before every eighth one
const { writeSync } = require('node:fs');

const SESSION = '00000000-0000-4000-8000-0000000000aa';
const UUID = 'b52639af-6436-4d24-85cc-266530f0fa52';
const TEXT = 'Nothing is lost on the way, whatever \\"the reader\\" does with it. ';

const line = (fields) => `${JSON.stringify({ ...fields, session_id: SESSION, uuid: UUID })}\n`;

function stateLine(state) {
  return line({ type: 'system', subtype: 'session_state_changed', state, sdk_host_only: true });
}

function initLine() {
  return line({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: ['Task', 'AskUserQuestion', 'Bash', 'Edit', 'Read', 'Write'],
    mcp_servers: [],
    model: 'claude-opus-5-5',
    permissionMode: 'default',
    slash_commands: ['compact', 'context', 'init', 'review'],
  });
}

function deltaLine(text, more = {}) {
  const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
  return line({ type: 'stream_event', event, parent_tool_use_id: null, ...more });
}

function assistantLine() {
  const content = [{ type: 'text', text: TEXT.repeat(40) }];
  const usage = { input_tokens: 100, cache_read_input_tokens: 0, output_tokens: 200 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    usage,
  };
  return line({ type: 'assistant', message, parent_tool_use_id: null });
}

function toolResultLine() {
  const content = [
    { tool_use_id: 'toolu_1', type: 'tool_result', content: TEXT.repeat(120), is_error: false },
  ];
  return line({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
}

function resultLine() {
  return line({ type: 'result', subtype: 'success', is_error: false, num_turns: 8, result: TEXT });
}

/** One turn of 1.3 MB: 60 answers of 40 pieces each, a tool result between any two. */
function turn() {
  const answer = deltaLine('on the way ').repeat(40) + assistantLine();
  const work = Array.from({ length: 60 }, () => answer).join(toolResultLine());
  return stateLine('running') + initLine() + work + stateLine('idle') + resultLine();
}

function writeAll(bytes) {
  let at = 0;
  while (at < bytes.length) at += writeSync(1, bytes, at);
}

function flood(total) {
  const block = Buffer.from(turn());
  let left = total;
  while (left > 0) {
    writeAll(left < block.length ? block.subarray(0, left) : block);
    left -= Math.min(left, block.length);
  }
  process.stdin.resume();
}

function paced() {
  let count = 0;
  writeAll(Buffer.from(initLine()));
  process.stdin.on('data', (chunk) => {
    for (const byte of chunk) {
      if (byte !== 0x0a) continue;
      count += 1;
      if (count % 8 === 0) writeAll(Buffer.from(stateLine(count % 16 === 0 ? 'idle' : 'running')));
      writeAll(Buffer.from(deltaLine('on the way ', { at: Number(process.hrtime.bigint()) })));
    }
  });
}

if (process.argv[2] === 'flood') flood(Number(process.argv[3]));
else paced();
