import net from 'node:net';

/** A raw client of a Unix socket that speaks in lines and keeps everything it was sent. */
export class LineClient {
  readonly #connection: net.Socket;
  #lines: string[] = [];
  #rest = '';
  #ended = false;
  #bytes = 0;
  #wake: () => void = () => {};

  private constructor(connection: net.Socket) {
    this.#connection = connection;
    connection.on('error', () => {});
    connection.on('data', (chunk) => this.#received(chunk));
    const ended = () => {
      this.#ended = true;
      this.#wake();
    };
    connection.on('end', ended);
    connection.on('close', ended);
  }

  static connect(socket: string): Promise<LineClient> {
    return new Promise((resolve, reject) => {
      const connection = net.createConnection({ path: socket, allowHalfOpen: true });
      connection.once('error', reject);
      connection.once('connect', () => {
        connection.off('error', reject);
        resolve(new LineClient(connection));
      });
    });
  }

  /** Bytes received so far. */
  get bytes(): number {
    return this.#bytes;
  }

  send(text: string): void {
    this.sendBytes(Buffer.from(`${text}\n`));
  }

  sendBytes(bytes: Buffer): void {
    this.#connection.write(bytes);
  }

  halfClose(): void {
    this.#connection.end();
  }

  hangUp(): void {
    this.#connection.destroy();
  }

  /** Stops reading, so that the sender's buffers fill up. */
  stopReading(): void {
    this.#connection.pause();
  }

  readAgain(): void {
    this.#connection.resume();
  }

  /** The next line, waited for. */
  async line(withinMs = 10_000): Promise<string> {
    await this.#until(() => this.#lines.length > 0 || this.#ended, 'no line came in time', withinMs);
    const line = this.#lines.shift();
    if (line === undefined) throw new Error('the connection ended instead of a line');
    return line;
  }

  /** The next line as JSON. */
  async reply(withinMs?: number): Promise<Record<string, unknown>> {
    return JSON.parse(await this.line(withinMs)) as Record<string, unknown>;
  }

  /** Lines that came and were not taken yet. */
  pendingLines(): string[] {
    return [...this.#lines];
  }

  /** Resolves when the other side has ended; fails when a line comes before. */
  async closed(withinMs = 10_000): Promise<void> {
    await this.#until(() => this.#ended, 'the connection stayed open', withinMs);
    if (this.#lines.length > 0) throw new Error(`a line came before the end: ${this.#lines[0]}`);
  }

  get isClosed(): boolean {
    return this.#ended;
  }

  #received(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const parts = (this.#rest + chunk.toString()).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts);
    this.#wake();
  }

  /** Waits for a condition that only what the connection brings can change. */
  async #until(condition: () => boolean, failure: string, withinMs: number): Promise<void> {
    const late = Date.now() + withinMs;
    while (!condition()) {
      if (Date.now() >= late) throw new Error(failure);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, late - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

/** Sends one line on a connection of its own and returns the reply. */
export async function ask(socket: string, request: object | string): Promise<Record<string, unknown>> {
  const client = await LineClient.connect(socket);
  try {
    client.send(typeof request === 'string' ? request : JSON.stringify(request));
    return await client.reply();
  } finally {
    client.hangUp();
  }
}

/** Sends one `observe`, which has to be accepted. */
export async function observe(socket: string, payload: object): Promise<void> {
  const reply = await ask(socket, { service: 'sessions', op: 'observe', payload });
  if (reply.ok !== true) throw new Error(`refused: ${JSON.stringify(reply)}`);
}

/** Sends many `observe`s on one connection, each when the one before was accepted. */
export async function observeAll(socket: string, payloads: readonly object[]): Promise<void> {
  const client = await LineClient.connect(socket);
  try {
    for (const payload of payloads) {
      client.send(JSON.stringify({ service: 'sessions', op: 'observe', payload }));
      const reply = await client.reply();
      if (reply.ok !== true) throw new Error(`refused: ${JSON.stringify(reply)}`);
    }
  } finally {
    client.hangUp();
  }
}

/** The rows of `list`. */
export async function list(socket: string): Promise<Record<string, unknown>[]> {
  const reply = await ask(socket, { service: 'sessions', op: 'list' });
  return (reply.payload as { sessions: Record<string, unknown>[] }).sessions;
}
