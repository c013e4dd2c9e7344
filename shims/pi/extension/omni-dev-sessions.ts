// Reports what this pi session is doing (working, idle, waiting for an answer) to the omni-dev daemon of this user, over
// its Unix socket. It sends the session's id, state, directory, file, model id and process id: never a prompt, a message
// or a tool argument. It is fail-open: pi never waits for the daemon, and without one nothing happens.
//
// One file on purpose, with nothing but Node's own modules: pi loads it as it is.
import { readlinkSync } from 'node:fs';
import net from 'node:net';

/** Socket of the daemon. Written in when the file is installed; install-hooks writes it anew. */
const SOCKET = '__OMNI_DEV_SOCKET__';

/** How long things may take, in milliseconds. */
const TIMES = {
  /** One report, connection included. */
  request: 2_000,
  /** A state is repeated this often, so that a daemon that was restarted learns of an idle session as well. */
  keepAlive: 30_000,
  /** First and longest pause before an undelivered report is tried again. */
  retryFirst: 500,
  retryMost: 10_000,
  /** What pi waits for at the end of a session: first for a report that is under way, then for the end itself. */
  lastReport: 400,
  end: 1_000,
  /** Releases of pi without `agent_settled`: pause between two looks whether it is idle, and after a failed turn. */
  idleLook: 250,
  failedTurn: 2_500,
};
export type Times = typeof TIMES;

/** Tells the daemon whether it may look for our pid. Linux only. */
const PID_NAMESPACE: Fields = {};
try {
  PID_NAMESPACE.pid_ns = readlinkSync('/proc/self/ns/pid');
} catch {
  // No namespaces here.
}

const QUEUE_LIMIT = 32;
const REPLY_LIMIT = 65_536;

type State = 'working' | 'idle' | 'waiting_for_input';
type Outcome = 'done' | 'failed' | 'interrupted';
type Fields = Record<string, unknown>;
interface Report {
  op: 'observe' | 'end';
  payload: Fields;
}

/** What this file uses of pi's extension API. */
interface Context {
  sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
  cwd?: string;
  model?: { id?: string };
  isIdle(): boolean;
}
interface Pi {
  on(name: string, handler: (event: Fields, ctx: Context) => unknown): unknown;
}

export default createExtension(SOCKET);

/**
 * Makes the function that pi calls once per session. A throwing factory would stop pi, so nothing leaves it; sockets and
 * timers wait for `session_start`, since pi also runs the factory without a session.
 */
export function createExtension(socket: string, times: Times = TIMES): (pi: Pi) => void {
  return (pi) => {
    try {
      subscribe(pi, new SessionReporter(new ReportQueue(socket, times), times));
    } catch {
      // pi goes on without us.
    }
  };
}

function subscribe(pi: Pi, session: SessionReporter): void {
  const on = (name: string, react: (event: Fields, ctx: Context) => void) =>
    pi.on(name, (event, ctx) => {
      try {
        react(event ?? {}, ctx);
      } catch {
        // A stale or unknown context: the next event says more.
      }
    });
  on('session_start', (_event, ctx) => session.start(ctx));
  for (const name of ['before_agent_start', 'agent_start', 'turn_start', 'tool_execution_start'])
    on(name, (_event, ctx) => session.working(ctx));
  on('agent_settled', (event, ctx) => session.settled(event, ctx));
  on('agent_end', (event, ctx) => session.agentEnded(event, ctx));
  on('ui_prompt_start', (_event, ctx) => session.dialogOpened(ctx));
  on('ui_prompt_end', (_event, ctx) => session.dialogClosed(ctx));
  on('model_select', (_event, ctx) => session.report(ctx));
  // The only handler pi waits for.
  pi.on('session_shutdown', (event) => session.end(event?.reason).catch(() => {}));
}

/** The state of one session, from pi's events. */
class SessionReporter {
  readonly #queue: ReportQueue;
  readonly #times: Times;
  #id: string | undefined;
  #state: State = 'idle';
  #outcome: Outcome | undefined;
  #lastOutcome: Outcome | undefined;
  #dialogs = 0;
  /** This release of pi says itself when it is done. */
  #settles = false;
  #failedTurns = 0;
  #sent = '';
  #payload: Fields | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #idleLook: NodeJS.Timeout | undefined;

  constructor(queue: ReportQueue, times: Times) {
    this.#queue = queue;
    this.#times = times;
  }

  start(ctx: Context): void {
    this.#id = ctx.sessionManager.getSessionId();
    this.#dialogs = 0;
    this.#become('idle', ctx);
    this.#keepAlive ??= unref(setInterval(() => this.#repeat(), this.#times.keepAlive));
  }

  working(ctx: Context): void {
    clearTimeout(this.#idleLook);
    this.#outcome = undefined;
    this.#become('working', ctx);
  }

  settled(event: Fields, ctx: Context): void {
    this.#settles = true;
    this.#idle(event.aborted === true ? 'interrupted' : (this.#lastOutcome ?? 'done'), ctx);
  }

  /** No end of the turn yet: a retry or a queued message may follow. Only older releases leave it at that. */
  agentEnded(event: Fields, ctx: Context): void {
    this.#lastOutcome = outcomeOf(event.messages);
    const failed = this.#lastOutcome === 'failed';
    this.#failedTurns = failed ? this.#failedTurns + 1 : 0;
    if (this.#settles) return;
    // pi retries a failed turn after 2, 4 and 8 s, and is idle by its own account in between.
    const pause = failed ? this.#times.failedTurn * 2 ** Math.min(this.#failedTurns - 1, 2) : 0;
    this.#lookForIdle(pause, ctx);
  }

  dialogOpened(ctx: Context): void {
    this.#dialogs += 1;
    this.report(ctx);
  }

  dialogClosed(ctx: Context): void {
    this.#dialogs = Math.max(0, this.#dialogs - 1);
    this.#become(ctx.isIdle() ? 'idle' : 'working', ctx);
  }

  /** Reports the state if anything of the report is new. */
  report(ctx: Context): void {
    if (this.#id === undefined) return;
    const payload = {
      session_id: this.#id,
      event: { stream_state: this.#dialogs > 0 ? 'waiting_for_input' : this.#state },
      agent: 'pi',
      feed: 'pi_extension',
      pid: process.pid,
      ...PID_NAMESPACE,
      ...optional('cwd', ctx.cwd),
      ...optional('transcript_path', ctx.sessionManager.getSessionFile()),
      ...optional('model', ctx.model?.id),
      ...optional('outcome', this.#outcome),
    };
    const text = JSON.stringify(payload);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#payload = payload;
    this.#queue.add({ op: 'observe', payload });
  }

  async end(reason: unknown): Promise<void> {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#idleLook);
    const id = this.#id;
    this.#id = undefined;
    if (id === undefined) return;
    const payload = {
      session_id: id,
      ...optional('reason', typeof reason === 'string' ? reason : undefined),
      pid: process.pid,
      ...PID_NAMESPACE,
      feed: 'pi_extension',
    };
    await this.#queue.close({ op: 'end', payload });
  }

  #become(state: State, ctx: Context): void {
    this.#state = state;
    this.report(ctx);
  }

  #idle(outcome: Outcome, ctx: Context): void {
    clearTimeout(this.#idleLook);
    this.#outcome = outcome;
    this.#become('idle', ctx);
  }

  #lookForIdle(pause: number, ctx: Context): void {
    clearTimeout(this.#idleLook);
    this.#idleLook = unref(
      setTimeout(() => {
        try {
          if (this.#id === undefined || this.#settles) return;
          if (ctx.isIdle()) this.#idle(this.#lastOutcome ?? 'done', ctx);
          else this.#lookForIdle(this.#times.idleLook, ctx);
        } catch {
          // The session was replaced: its successor speaks for itself.
        }
      }, pause),
    );
  }

  #repeat(): void {
    if (this.#payload !== undefined) this.#queue.repeat({ op: 'observe', payload: this.#payload });
  }
}

/** Delivers reports one at a time and in order. Keeps at most 32; what is not delivered gives way to what is newer. */
class ReportQueue {
  readonly #socket: string;
  readonly #times: Times;
  #waiting: Report[] = [];
  #sending: Promise<void> | undefined;
  #abort: (() => void) | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause: number;
  #closed = false;

  constructor(socket: string, times: Times) {
    this.#socket = socket;
    this.#times = times;
    this.#pause = times.retryFirst;
  }

  add(report: Report): void {
    if (this.#closed) return;
    this.#waiting.push(report);
    if (this.#waiting.length > QUEUE_LIMIT) this.#waiting.shift();
    this.#wake();
  }

  /** Sends a report again, unless something newer is still to be delivered. */
  repeat(report: Report): void {
    if (this.#waiting.length === 0 && this.#sending === undefined) this.add(report);
    else this.#wake();
  }

  /** Sends the last report in place of those that wait. Resolves when it is delivered or its time is over. */
  async close(last: Report): Promise<void> {
    this.#closed = true;
    this.#waiting = [];
    clearTimeout(this.#retry);
    if (this.#sending !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, this.#times.lastReport);
      });
      await Promise.race([this.#sending, enough]);
      clearTimeout(timer);
      this.#abort?.();
    }
    // Held open: a process with nothing left to do would end before the report is out.
    await this.#send(last, this.#times.end, true);
  }

  #wake(): void {
    clearTimeout(this.#retry);
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined;
    });
  }

  async #drain(): Promise<void> {
    for (let report = this.#waiting[0]; report !== undefined; report = this.#waiting[0]) {
      const delivered = await this.#send(report, this.#times.request, false);
      if (this.#closed) return;
      if (delivered) {
        this.#pause = this.#times.retryFirst;
        this.#waiting = this.#waiting.filter((waiting) => waiting !== report);
      } else {
        // Only the present is worth another try.
        this.#waiting = this.#waiting.slice(-1);
        this.#retry = unref(setTimeout(() => this.#wake(), this.#pause));
        this.#pause = Math.min(this.#pause * 2, this.#times.retryMost);
        return;
      }
    }
  }

  /** True when the daemon answered, whatever it said: a report it refused would be refused again. Never throws. */
  #send(report: Report, within: number, held: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const connection = net.createConnection({ path: this.#socket });
      const timer = setTimeout(() => done(false), within);
      const done = (answered: boolean) => {
        clearTimeout(timer);
        this.#abort = undefined;
        connection.destroy();
        resolve(answered);
      };
      this.#abort = () => done(false);
      if (!held) {
        unref(timer);
        connection.unref();
      }
      let received = 0;
      connection.on('connect', () =>
        connection.write(`${JSON.stringify({ service: 'sessions', ...report })}\n`),
      );
      connection.on('data', (bytes) => {
        received += bytes.length;
        if (bytes.includes(10)) done(true);
        else if (received > REPLY_LIMIT) done(false);
      });
      connection.on('error', () => done(false));
      connection.on('close', () => done(false));
    });
  }
}

/** How the last assistant message of a run ended. Its text is not looked at. */
function outcomeOf(messages: unknown): Outcome {
  const last = Array.isArray(messages)
    ? messages.findLast((message) => message?.role === 'assistant')
    : undefined;
  if (last?.stopReason === 'error') return 'failed';
  return last?.stopReason === 'aborted' ? 'interrupted' : 'done';
}

function optional(key: string, value: string | undefined): Fields {
  return value === undefined || value === '' ? {} : { [key]: value };
}

/** A timer that does not keep pi alive: a plain one makes `pi -p` hang. */
function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  timer.unref();
  return timer;
}
