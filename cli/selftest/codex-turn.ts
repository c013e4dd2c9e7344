import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { resolveControlSocket, serverSocketDir } from '../../agents/codex/control-socket.ts';
import { ObserverConnection } from '../../agents/codex/observer-connection.ts';
import { readRolloutHead } from '../../agents/codex/rollout-head.ts';
import { visitRollouts } from '../../agents/codex/rollout-listing.ts';
import { rolloutPromptOf } from '../../agents/codex/rollout-prompt.ts';
import { type LockState, lockProbe, lockStateOf, readThreadLocks } from '../../agents/codex/thread-locks.ts';
import { openWebSocket, type TextTransport } from '../../agents/codex/transport.ts';
import { readTurnMark } from '../../agents/codex/turn-end.ts';
import type { SessionState } from '../../contract/events.ts';
import { controlSocketPath } from '../../daemon-lite/feeds/codex-shared-server.ts';
import { readCodexTrust } from '../../shims/hooks/install-codex-hooks.ts';
import { AgentProcess } from './agent-process.ts';
import { CodexHost } from './codex-host.ts';
import { startCodexModel } from './codex-model.ts';
import { type CodexEvidence, codexSignals } from './codex-signals.ts';
import { trustInstalledHooks } from './codex-trust-step.ts';
import { awaitHooks, HOOKS_OF_A_TURN } from './hook-events.ts';
import type { SelftestStage } from './stage.ts';
import type { TurnResult } from './turn-result.ts';
import { type Deadline, waitUntil } from './wait.ts';

/** The first client names the server: as Codex's own interface does. */
const INTERFACE = { name: 'codex-tui', version: '0.0.0' };
const LISTEN_MS = 20_000;
/** The daemon looks for servers once a second, and comes when a thread is loaded. */
const SHOWN_MS = 6_000;
const HOOKS_MS = 5_000;
const STOP_MS = 5_000;

/** One scripted turn of a Codex on its shared server: a prompt, a command that needs approval, an answer, the end. */
export async function runCodexTurn(
  program: string,
  stage: SelftestStage,
  deadline: Deadline,
): Promise<TurnResult> {
  const model = await startCodexModel();
  const turn = new CodexTurn(program, stage, deadline, model.url);
  stage.add(turn);
  try {
    const problem = await turn.play();
    return { signals: codexSignals(await turn.evidence()), ...(problem === undefined ? {} : { problem }) };
  } finally {
    await turn.stop();
    await model.close();
  }
}

class CodexTurn {
  readonly #stage: SelftestStage;
  readonly #deadline: Deadline;
  readonly #codexHome: string;
  readonly #server: AgentProcess;
  #host: CodexHost | undefined;
  #threadId = '';
  #asked: Pick<CodexEvidence['server'], 'version' | 'lists' | 'reads'> = {
    version: undefined,
    lists: false,
    reads: false,
  };
  #loadedLock: LockState = 'absent';
  /** The socket behind Codex's link, in a folder that is shared by all its servers. */
  #socket: string | undefined;
  #knowsTrust = false;

  constructor(program: string, stage: SelftestStage, deadline: Deadline, modelUrl: string) {
    const { home } = stage;
    this.#stage = stage;
    this.#deadline = deadline;
    this.#codexHome = path.join(home.home, '.codex');
    stage.write('.codex/config.toml', configuration(modelUrl, home.project));
    this.#server = new AgentProcess({
      command: [program, 'app-server', '--listen', 'unix://'],
      cwd: home.project,
      env: { ...home.env, CODEX_HOME: this.#codexHome, CODEX_SELFTEST_KEY: 'made-up' },
    });
  }

  /** Resolves with why the turn did not come to its end, or with undefined. */
  async play(): Promise<string | undefined> {
    const transport = await this.#connect(LISTEN_MS);
    if (transport === undefined)
      return this.#server.complaint ?? 'its app-server did not accept a connection';
    const host = new CodexHost(transport, () => this.#shows('waiting_for_permission'));
    this.#host = host;
    const clientInfo = { ...INTERFACE, title: null };
    await host.request('initialize', { clientInfo, capabilities: null });
    await trustInstalledHooks(host, this.#codexHome, this.#stage.home.project);
    this.#knowsTrust = isTrusted(this.#codexHome);
    const cwd = this.#stage.home.project;
    const started = await host.request('thread/start', {
      cwd,
      approvalPolicy: 'on-request',
      sandbox: 'workspace-write',
    });
    this.#threadId = threadIdOf(started) ?? '';
    if (this.#threadId === '') return this.#server.complaint ?? 'the app-server started no thread';
    await this.#untilShown('idle');
    await this.#ask();
    this.#loadedLock = this.#lock();
    const input = [{ type: 'text', text: 'Run the command of the self-test.', text_elements: [] }];
    await host.request('turn/start', { threadId: this.#threadId, input });
    const isOver = () => this.#server.end !== undefined || host.pushed.has('idle');
    host.pushed.delete('idle');
    if (!(await waitUntil(isOver, this.#deadline.left()))) return 'the turn did not come to its end in time';
    await this.#untilShown('idle');
    return this.#server.complaint;
  }

  async evidence(): Promise<CodexEvidence> {
    const { home, seen } = this.#stage;
    this.#host?.close();
    this.#server.signal('SIGTERM');
    await waitUntil(() => this.#server.end !== undefined, this.#deadline.left(STOP_MS));
    const journals = path.join(home.paths.journalsDir, 'codex');
    const hooks = await awaitHooks(journals, HOOKS_OF_A_TURN, this.#deadline.left(HOOKS_MS));
    await this.#untilShown('ended');
    const { pushed = new Set<string>(), approvals = 0 } = this.#host ?? {};
    return {
      server: { listens: this.#host !== undefined, ...this.#asked, pushed, approvals },
      lock: { loaded: this.#loadedLock, after: this.#lock() },
      hooks,
      knowsTrust: this.#knowsTrust,
      shown: seen.of(this.#threadId),
      rollout: await this.#rollout(),
    };
  }

  async stop(): Promise<void> {
    this.#host?.close();
    await this.#server.stop();
    this.#removeSocket();
  }

  /** A server that had to be killed leaves its socket and the lock beside it. */
  #removeSocket(): void {
    const { uid } = this.#stage.home.around;
    if (this.#socket === undefined || path.dirname(this.#socket) !== serverSocketDir(uid)) return;
    for (const file of [this.#socket, `${this.#socket}.lock`]) rmSync(file, { force: true });
  }

  /** Waits for a server where Codex puts it, and connects. */
  async #connect(ms: number): Promise<TextTransport | undefined> {
    const { uid } = this.#stage.home.around;
    let transport: TextTransport | undefined;
    for (const until = performance.now() + this.#deadline.left(ms); performance.now() < until; ) {
      if (this.#server.end !== undefined) return undefined;
      const socket = resolveControlSocket(controlSocketPath(this.#codexHome), uid);
      if (socket.kind === 'socket') {
        this.#socket = socket.path;
        transport = await openWebSocket(socket.path, 5_000).catch(() => undefined);
      }
      if (transport !== undefined) return transport;
      await waitUntil(() => false, 50);
    }
    return undefined;
  }

  /** Asks what our observers ask, over a connection of its own. */
  async #ask(): Promise<void> {
    const transport = await this.#connect(5_000);
    if (transport === undefined) return;
    const connection = new ObserverConnection(transport, { notification: () => {}, closed: () => {} });
    try {
      const { serverVersion } = await connection.initialize({ name: 'omni-dev', version: '0.0.0' });
      this.#asked.version = serverVersion;
      this.#asked.lists = (await connection.loadedThreads()).includes(this.#threadId);
      this.#asked.reads = (await connection.readThread(this.#threadId))?.status !== undefined;
    } catch {
      // What was not answered stays unseen.
    } finally {
      connection.close();
    }
  }

  #shows(state: SessionState): boolean {
    return this.#stage.seen.of(this.#threadId).some((shown) => shown.state === state);
  }

  #untilShown(state: SessionState): Promise<boolean> {
    const isLast = () => this.#stage.seen.of(this.#threadId).at(-1)?.state === state;
    return this.#stage.seen.until(isLast, this.#deadline.left(SHOWN_MS));
  }

  #lock(): LockState {
    return lockStateOf(readThreadLocks(this.#codexHome, lockProbe(process.platform)), this.#threadId);
  }

  async #rollout(): Promise<CodexEvidence['rollout']> {
    let place: { file: string; size: number } | undefined;
    visitRollouts(this.#codexHome, [], (threadId, file, { size }) => {
      if (threadId === this.#threadId) place = { file, size };
    });
    if (place === undefined) return undefined;
    const { file, size } = place;
    return {
      hasHead: readRolloutHead(file, size)?.isSession === true,
      standing: (await readTurnMark(file))?.standing,
      prompts: promptsIn(readFileSync(file, 'utf8')),
    };
  }
}

/** Nothing that would leave the machine, and the stand-in as the model's provider. */
function configuration(modelUrl: string, project: string): string {
  const lines = [
    'model = "gpt-selftest"',
    'model_provider = "selftest"',
    'approval_policy = "on-request"',
    'sandbox_mode = "workspace-write"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.selftest]',
    'name = "selftest"',
    `base_url = ${JSON.stringify(`${modelUrl}/v1`)}`,
    'wire_api = "responses"',
    'env_key = "CODEX_SELFTEST_KEY"',
    `[projects.${JSON.stringify(project)}]`,
    'trust_level = "trusted"',
  ];
  return `${lines.join('\n')}\n`;
}

function isTrusted(codexHome: string): boolean {
  try {
    const hooks = readCodexTrust(codexHome);
    return hooks.length > 0 && hooks.every(({ trust }) => trust === 'trusted');
  } catch {
    return false;
  }
}

function threadIdOf(result: unknown): string | undefined {
  const { thread } = Object(result) as { thread?: { id?: unknown } };
  return typeof thread?.id === 'string' ? thread.id : undefined;
}

function promptsIn(rollout: string): number {
  return rollout.split('\n').filter((line) => {
    try {
      return rolloutPromptOf(JSON.parse(line) as Record<string, unknown>) !== undefined;
    } catch {
      return false;
    }
  }).length;
}
