/** One line that went over the pipes between Claude Code and its host, and when. */
export interface DemoLine {
  /** Milliseconds after the recording began. */
  at: number;
  from: 'agent' | 'host';
  /** What is left of the line: its type, ids and states. Session id and folder are put in at play time. */
  line: Readonly<Record<string, unknown>>;
}

/** A recorded session, cut down to the lines that tell its state. */
export interface DemoCapture {
  /** Name of the recording. */
  name: string;
  /** Name of the folder it is shown in. */
  folder: string;
  lines: readonly DemoLine[];
  /** When the agent exited. */
  endsAt: number;
}

/** Recordings of Claude Code against a scripted model. Nothing a person or a model wrote is in them. */
export const DEMO_CAPTURES: readonly DemoCapture[] = [
  {
    name: 'permission-allow',
    folder: 'shop',
    endsAt: 6810,
    lines: [
      {
        at: 0,
        from: 'host',
        line: { type: 'control_request', request_id: '7a99a82a-a27', request: { subtype: 'initialize' } },
      },
      { at: 1575, from: 'agent', line: { type: 'system', subtype: 'hook_started' } },
      {
        at: 1869,
        from: 'agent',
        line: { type: 'control_response', response: { subtype: 'success', request_id: '7a99a82a-a27' } },
      },
      { at: 1870, from: 'host', line: { type: 'user' } },
      {
        at: 1883,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 2162, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      { at: 2604, from: 'agent', line: { type: 'assistant' } },
      {
        at: 2938,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'requires_action' },
      },
      {
        at: 2941,
        from: 'agent',
        line: {
          type: 'control_request',
          request_id: 'ffb05888-734c-4c1e-8439-4029b71715a9',
          request: { subtype: 'can_use_tool', tool_name: 'Write' },
        },
      },
      {
        at: 4442,
        from: 'host',
        line: {
          type: 'control_response',
          response: { subtype: 'success', request_id: 'ffb05888-734c-4c1e-8439-4029b71715a9' },
        },
      },
      {
        at: 4451,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 4814, from: 'agent', line: { type: 'user' } },
      {
        at: 5785,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      { at: 5791, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
    ],
  },
  {
    name: 'ask-user-question',
    folder: 'api',
    endsAt: 5387,
    lines: [
      {
        at: 0,
        from: 'host',
        line: { type: 'control_request', request_id: '7b4eb4d5-2da', request: { subtype: 'initialize' } },
      },
      { at: 1116, from: 'agent', line: { type: 'system', subtype: 'hook_started' } },
      {
        at: 1402,
        from: 'agent',
        line: { type: 'control_response', response: { subtype: 'success', request_id: '7b4eb4d5-2da' } },
      },
      { at: 1403, from: 'host', line: { type: 'user' } },
      {
        at: 1412,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 1714, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      { at: 1892, from: 'agent', line: { type: 'assistant' } },
      {
        at: 2250,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'requires_action' },
      },
      {
        at: 2255,
        from: 'agent',
        line: {
          type: 'control_request',
          request_id: 'b8133206-274f-48a3-ac5d-0a65ec8824b6',
          request: { subtype: 'can_use_tool', tool_name: 'AskUserQuestion' },
        },
      },
      {
        at: 3256,
        from: 'host',
        line: {
          type: 'control_response',
          response: { subtype: 'success', request_id: 'b8133206-274f-48a3-ac5d-0a65ec8824b6' },
        },
      },
      {
        at: 3262,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 3405, from: 'agent', line: { type: 'user' } },
      {
        at: 4099,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      { at: 4106, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
    ],
  },
  {
    name: 'subagent-background',
    folder: 'docs',
    endsAt: 17046,
    lines: [
      {
        at: 0,
        from: 'host',
        line: { type: 'control_request', request_id: 'f33f3ed4-915', request: { subtype: 'initialize' } },
      },
      { at: 1926, from: 'agent', line: { type: 'system', subtype: 'hook_started' } },
      {
        at: 2654,
        from: 'agent',
        line: { type: 'control_response', response: { subtype: 'success', request_id: 'f33f3ed4-915' } },
      },
      { at: 2655, from: 'host', line: { type: 'user' } },
      {
        at: 2773,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 3360, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      { at: 3603, from: 'agent', line: { type: 'assistant' } },
      {
        at: 4460,
        from: 'agent',
        line: {
          type: 'system',
          subtype: 'background_tasks_changed',
          tasks: [{ task_id: 'af2057a7af419585f', task_type: 'local_agent' }],
        },
      },
      { at: 4953, from: 'agent', line: { type: 'user' } },
      {
        at: 6776,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      {
        at: 8588,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'requires_action' },
      },
      {
        at: 8593,
        from: 'agent',
        line: {
          type: 'control_request',
          request_id: '8f3da8b4-26cc-4b78-bbbe-979922a4c050',
          request: { subtype: 'can_use_tool', tool_name: 'Write', agent_id: 'af2057a7af419585f' },
        },
      },
      {
        at: 10094,
        from: 'host',
        line: {
          type: 'control_response',
          response: { subtype: 'success', request_id: '8f3da8b4-26cc-4b78-bbbe-979922a4c050' },
        },
      },
      {
        at: 10100,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 10386, from: 'agent', line: { type: 'user' } },
      { at: 13110, from: 'agent', line: { type: 'system', subtype: 'background_tasks_changed', tasks: [] } },
      { at: 13431, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      {
        at: 14051,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      { at: 14064, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
    ],
  },
  {
    name: 'background-bash',
    folder: 'web',
    endsAt: 8834,
    lines: [
      {
        at: 0,
        from: 'host',
        line: { type: 'control_request', request_id: '6262b331-800', request: { subtype: 'initialize' } },
      },
      { at: 866, from: 'agent', line: { type: 'system', subtype: 'hook_started' } },
      {
        at: 1124,
        from: 'agent',
        line: { type: 'control_response', response: { subtype: 'success', request_id: '6262b331-800' } },
      },
      { at: 1125, from: 'host', line: { type: 'user' } },
      {
        at: 1164,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 1467, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      { at: 1599, from: 'agent', line: { type: 'assistant' } },
      {
        at: 1863,
        from: 'agent',
        line: {
          type: 'system',
          subtype: 'background_tasks_changed',
          tasks: [{ task_id: 'b4dcx09dm', task_type: 'local_bash' }],
        },
      },
      { at: 2068, from: 'agent', line: { type: 'user' } },
      {
        at: 2521,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      { at: 2530, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
      { at: 5900, from: 'agent', line: { type: 'system', subtype: 'background_tasks_changed', tasks: [] } },
      {
        at: 5905,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 6053, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      {
        at: 6376,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' },
      },
      { at: 6380, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
    ],
  },
  {
    name: 'api-error-400',
    folder: 'billing',
    endsAt: 3641,
    lines: [
      {
        at: 0,
        from: 'host',
        line: { type: 'control_request', request_id: '91f9624f-60e', request: { subtype: 'initialize' } },
      },
      { at: 863, from: 'agent', line: { type: 'system', subtype: 'hook_started' } },
      {
        at: 1295,
        from: 'agent',
        line: { type: 'control_response', response: { subtype: 'success', request_id: '91f9624f-60e' } },
      },
      { at: 1296, from: 'host', line: { type: 'user' } },
      {
        at: 1311,
        from: 'agent',
        line: { type: 'system', subtype: 'session_state_changed', state: 'running' },
      },
      { at: 1779, from: 'agent', line: { type: 'system', subtype: 'init', model: 'claude-opus-5-5' } },
      { at: 2542, from: 'agent', line: { type: 'assistant' } },
      {
        at: 2567,
        from: 'agent',
        line: { type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error' },
      },
      { at: 2576, from: 'agent', line: { type: 'system', subtype: 'session_state_changed', state: 'idle' } },
    ],
  },
];
