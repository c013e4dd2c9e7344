import { createExtension, type Times } from '../../../shims/pi/extension/omni-dev-sessions.ts';

type Fields = Record<string, unknown>;

/** Short times: what takes seconds beside pi takes milliseconds here. */
export const QUICK: Times = {
  request: 300,
  keepAlive: 60_000,
  retryFirst: 20,
  retryMost: 100,
  lastReport: 100,
  end: 200,
  idleLook: 10,
  failedTurn: 40,
};

/** What the extension sees of one session; a test changes it between events. */
export interface FakeSession {
  id: string;
  file?: string | undefined;
  cwd?: string;
  model?: string | undefined;
  idle: boolean;
  /** True once pi replaced the session: every use of its context throws then. */
  stale?: boolean;
}

/** A pi that loads the extension and fires events at it, as one session after another would. */
export class FakePi {
  readonly session: FakeSession;
  readonly #handlers = new Map<string, ((event: Fields, ctx: never) => unknown)[]>();

  constructor(socket: string, session: Partial<FakeSession> = {}, times: Partial<Times> = {}) {
    this.session = { id: 'session-1', idle: true, cwd: '/w/repo', model: 'mock-1', ...session };
    createExtension(socket, { ...QUICK, ...times })({
      on: (name, handler) => {
        this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler as never]);
      },
    });
  }

  get events(): string[] {
    return [...this.#handlers.keys()];
  }

  /** Fires one event; resolves with what the handlers answered, as pi awaits it. */
  async fire(name: string, fields: Fields = {}): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const handler of this.#handlers.get(name) ?? [])
      results.push(await handler({ type: name, ...fields }, this.#context() as never));
    return results;
  }

  #context(): Fields {
    const { session } = this;
    const live = <T>(value: () => T): T => {
      if (session.stale) throw new Error('This extension ctx is stale after session replacement or reload');
      return value();
    };
    return {
      sessionManager: {
        getSessionId: () => live(() => session.id),
        getSessionFile: () => live(() => session.file),
      },
      get cwd() {
        return live(() => session.cwd);
      },
      get model() {
        return live(() =>
          session.model === undefined ? undefined : { provider: 'mock', id: session.model },
        );
      },
      isIdle: () => live(() => session.idle),
    };
  }
}
