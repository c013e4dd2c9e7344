/** Lines of a stream-json conversation, each with its newline. */
const line = (fields: Record<string, unknown>) => `${JSON.stringify(fields)}\n`;

export const sessionId = '5f0c2b8e-0000-4000-8000-000000000001';

export const init = line({
  type: 'system',
  subtype: 'init',
  session_id: sessionId,
  cwd: '/w',
  model: 'claude-opus-5',
});

export const stateLine = (state: string) =>
  line({ type: 'system', subtype: 'session_state_changed', state, session_id: sessionId });

export const prompt = line({ type: 'user', message: { role: 'user', content: 'do it' } });

export const says = (text: string) =>
  line({ type: 'assistant', message: { content: [{ type: 'text', text }] }, session_id: sessionId });

export const asks = (requestId: string, toolName: string) =>
  line({
    type: 'control_request',
    request_id: requestId,
    request: { subtype: 'can_use_tool', tool_name: toolName },
  });

export const answers = (requestId: string) =>
  line({ type: 'control_response', response: { subtype: 'success', request_id: requestId } });

export const interrupt = line({
  type: 'control_request',
  request_id: 'i',
  request: { subtype: 'interrupt' },
});

export const result = (fields: Record<string, unknown> = { subtype: 'success', is_error: false }) =>
  line({ duration_api_ms: 1, type: 'result', ...fields, session_id: sessionId });
