/**
 * What Claude Code 2.1.332 was seen to write on its stdout. The lists decide nothing: a word that is on none
 * of them is counted, so that drift of the protocol can be seen.
 */
export const KNOWN_LINE_TYPES: ReadonlySet<string> = new Set([
  'system',
  'assistant',
  'user',
  'stream_event',
  'result',
  'command_lifecycle',
  'conversation_reset',
  'control_request',
  'control_response',
  'control_cancel_request',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'rate_limit_event',
  'prompt_suggestion',
  'keep_alive',
]);

export const KNOWN_SYSTEM_SUBTYPES: ReadonlySet<string> = new Set([
  'init',
  'status',
  'session_state_changed',
  'session_title_changed',
  'hook_started',
  'hook_progress',
  'hook_response',
  'api_retry',
  'compact_boundary',
  'background_tasks_changed',
  'task_started',
  'task_progress',
  'task_updated',
  'task_notification',
  'notification',
  'local_command_output',
  'plugin_install',
  'thinking_tokens',
  'worker_shutting_down',
  'commands_changed',
  'files_persisted',
  'memory_recall',
  'elicitation_complete',
  'permission_denied',
  'mirror_error',
  'informational',
  'control_request_progress',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'session_writes_lost',
  'active_goal',
]);

/** Requests of Claude's to its host that ask no person. */
export const KNOWN_SILENT_REQUESTS: ReadonlySet<string> = new Set([
  'hook_callback',
  'mcp_message',
  'initialize',
  'interrupt',
  'set_model',
  'set_permission_mode',
]);
