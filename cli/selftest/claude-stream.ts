import {
  KNOWN_LINE_TYPES,
  KNOWN_SILENT_REQUESTS,
  KNOWN_SYSTEM_SUBTYPES,
} from '../../wrappers/claude/known-words.ts';

/** Requests of Claude's that ask a person. */
const ASKING_REQUESTS: ReadonlySet<string> = new Set(['can_use_tool', 'elicitation', 'request_user_dialog']);

/** A line of stream-json, as far as it is read here. */
interface StreamLine {
  type?: string;
  subtype?: string;
  session_id?: string;
  state?: string;
  cwd?: string;
  model?: string;
  request_id?: string;
  request?: { subtype?: string; input?: object; tool_use_id?: string };
  response?: { response?: { pid?: number; session_state?: string } };
}

/** A permission that Claude asked its host for. */
export interface PermissionAsk {
  requestId: string;
  input: object;
  toolUseId: string | undefined;
}

/** What one run of Claude said on its stream, without content. */
export class ClaudeStream {
  sessionId: string | undefined;
  /** The answer to `initialize`: whether it had a pid and a state. */
  greeting: { pid: boolean; state: boolean } | undefined;
  /** True once an `init` line told folder and model. */
  hasInit = false;
  hasResult = false;
  /** Words of the state lines, in order. */
  readonly states: string[] = [];
  readonly asks: PermissionAsk[] = [];
  readonly unknownWords = new Set<string>();

  /** Takes one line. What is no JSON object is passed over. */
  take(text: string): void {
    const line = parse(text);
    if (line === undefined) return;
    this.#countWords(line);
    if (line.session_id !== undefined && line.session_id !== '') this.sessionId ??= line.session_id;
    if (line.type === 'system') this.#takeSystem(line);
    if (line.type === 'result') this.hasResult = true;
    if (line.type === 'control_response') this.#takeGreeting(line);
    if (line.type === 'control_request') this.#takeRequest(line);
  }

  /** True when the turn is over: by its state line where there are any, else by its result. */
  isAtRest(): boolean {
    return this.hasResult && (this.states.length === 0 || this.states.at(-1) === 'idle');
  }

  #takeSystem(line: StreamLine): void {
    if (line.subtype === 'init') this.hasInit ||= isText(line.cwd) && isText(line.model);
    if (line.subtype === 'session_state_changed' && isText(line.state)) this.states.push(line.state);
  }

  #takeGreeting({ response }: StreamLine): void {
    const answer = response?.response;
    this.greeting ??= { pid: typeof answer?.pid === 'number', state: isText(answer?.session_state) };
  }

  #takeRequest({ request_id, request }: StreamLine): void {
    if (request?.subtype !== 'can_use_tool' || request_id === undefined) return;
    this.asks.push({ requestId: request_id, input: request.input ?? {}, toolUseId: request.tool_use_id });
  }

  #countWords({ type, subtype, request }: StreamLine): void {
    if (type !== undefined && !KNOWN_LINE_TYPES.has(type)) this.unknownWords.add(type);
    if (type === 'system' && isText(subtype) && !KNOWN_SYSTEM_SUBTYPES.has(subtype))
      this.unknownWords.add(`system/${subtype}`);
    const asked = type === 'control_request' ? request?.subtype : undefined;
    if (asked !== undefined && !ASKING_REQUESTS.has(asked) && !KNOWN_SILENT_REQUESTS.has(asked))
      this.unknownWords.add(`control_request/${asked}`);
  }
}

function parse(text: string): StreamLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
