import { setTimeout as sleep } from 'node:timers/promises';
import { readThreadPush } from '../../agents/codex/protocol.ts';
import type { TextTransport } from '../../agents/codex/transport.ts';

const ANSWER_MS = 15_000;
/** The most that a person's answer to an approval is put off. */
const APPROVAL_MS = 6_000;

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** The person at a terminal interface, as far as a scripted turn needs one: starts a thread, a turn, and approves. */
export class CodexHost {
  readonly #transport: TextTransport;
  readonly #open = new Map<number | string, (message: Message | undefined) => void>();
  readonly #mayApprove: () => boolean;
  #lastId = 0;
  #isClosed = false;
  /** Statuses that were pushed: `active`, `idle`, and `waitingOnApproval` for one with that flag. */
  readonly pushed = new Set<string>();
  approvals = 0;

  /** @param mayApprove true once an approval has been open for long enough */
  constructor(transport: TextTransport, mayApprove: () => boolean) {
    this.#transport = transport;
    this.#mayApprove = mayApprove;
    transport.listen(
      (text) => this.#take(text),
      () => this.close(),
    );
  }

  /** Resolves with the result, or with undefined when there is none: an error, a closed connection, too late. */
  async request(method: string, params: object): Promise<unknown> {
    if (this.#isClosed) return undefined;
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<Message | undefined>((resolve) => this.#open.set(id, resolve));
    this.#transport.send(JSON.stringify({ id, method, params }));
    const message = await Promise.race([answered, sleep(ANSWER_MS, undefined, { ref: false })]);
    this.#open.delete(id);
    return message?.result;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const resolve of this.#open.values()) resolve(undefined);
    this.#transport.close();
  }

  #take(text: string): void {
    const message = parse(text);
    if (message === undefined) return;
    const { id, method, params } = message;
    if (method === undefined) return this.#open.get(id ?? '')?.(message);
    if (id !== undefined) return void this.#asked(id, method);
    const push = readThreadPush(method, params);
    if (push?.kind === 'status' && push.status !== undefined) {
      this.pushed.add(push.status.type);
      if (push.status.waitingOnApproval) this.pushed.add('waitingOnApproval');
    }
  }

  async #asked(id: number | string, method: string): Promise<void> {
    if (!method.endsWith('/requestApproval')) return;
    this.approvals += 1;
    for (const until = performance.now() + APPROVAL_MS; performance.now() < until && !this.#mayApprove(); ) {
      await sleep(50);
    }
    if (!this.#isClosed) this.#transport.send(JSON.stringify({ id, result: { decision: 'accept' } }));
  }
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
