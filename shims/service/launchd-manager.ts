import { setTimeout as delay } from 'node:timers/promises';
import type { Surroundings } from '../../contract/paths.ts';
import { quoteWhereNeeded } from '../install/shell-quote.ts';
import { AGENT_LABEL, agentFile } from './launchd-agent.ts';
import type { RunTool, ToolResult } from './run-tool.ts';
import { managerFailed, type Reach, type ServiceManager, type Standing } from './service-manager.ts';

const LAUNCHCTL = 'launchctl';
const RUNNING = /^\s*state = running$/m;
const GONE_MS = 15_000;
const POLL_MS = 100;

/** launchd, in the domain of the user's desktop session. It keeps the process; the socket is the daemon's own. */
export class LaunchdManager implements ServiceManager {
  readonly name = 'launchd';
  readonly inspect: string;
  readonly byHand: ServiceManager['byHand'];
  readonly #run: RunTool;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #domain: string;
  readonly #agent: string;
  readonly #file: string;

  constructor(around: Surroundings, run: RunTool) {
    this.#run = run;
    this.#env = around.env;
    this.#domain = `gui/${around.uid}`;
    this.#agent = `${this.#domain}/${AGENT_LABEL}`;
    this.#file = agentFile(around.home);
    this.inspect = `launchctl print ${this.#agent}`;
    this.byHand = {
      arm: [`launchctl bootstrap ${this.#domain} ${quoteWhereNeeded(this.#file)}`],
      stop: [`launchctl bootout ${this.#agent}`],
      forget: [],
    };
  }

  async reach(): Promise<Reach> {
    const result = await this.#launchctl('print', this.#domain);
    if (result.is === 'missing') return { is: 'missing' };
    return result.ok ? { is: 'here' } : { is: 'unreachable', why: result.said };
  }

  async standing(): Promise<Standing> {
    const agent = await this.#printed();
    if (agent === undefined) return 'off';
    return RUNNING.test(agent) ? 'running' : 'armed';
  }

  async failure(): Promise<string | undefined> {
    const agent = await this.#printed();
    if (agent === undefined || RUNNING.test(agent)) return undefined;
    const code = /^\s*last exit code = (.+)$/m.exec(agent)?.[1] ?? 'unknown';
    return `${AGENT_LABEL} is not running (last exit code: ${code})`;
  }

  /** A definition that changed is read only when it is loaded anew. */
  async arm(): Promise<void> {
    if (await this.#isLoaded()) await this.stop();
    await this.#load();
  }

  async start(): Promise<void> {
    if (await this.#isLoaded()) await this.#order('kickstart', this.#agent);
    else await this.#load();
  }

  async stop(): Promise<void> {
    await this.#order('bootout', this.#agent);
    // It is told before it is done, and what comes next would meet the old one.
    const deadline = performance.now() + GONE_MS;
    while ((await this.#isLoaded()) && performance.now() < deadline) await delay(POLL_MS);
  }

  async restart(): Promise<void> {
    if (await this.#isLoaded()) await this.#order('kickstart', '-k', this.#agent);
    else await this.#load();
  }

  async forget(): Promise<void> {}

  async #load(): Promise<void> {
    await this.#order('enable', this.#agent);
    await this.#order('bootstrap', this.#domain, this.#file);
  }

  async #isLoaded(): Promise<boolean> {
    return (await this.#printed()) !== undefined;
  }

  /** What launchd tells of the agent; undefined when it has none. */
  async #printed(): Promise<string | undefined> {
    const result = await this.#launchctl('print', this.#agent);
    return result.is === 'ran' && result.ok ? result.stdout : undefined;
  }

  async #order(...words: string[]): Promise<void> {
    const result = await this.#launchctl(...words);
    if (result.is === 'ran' && result.ok) return;
    const said = result.is === 'missing' ? 'launchctl was not found' : result.said;
    throw managerFailed(`launchctl ${words.join(' ')}`, said, this.inspect);
  }

  #launchctl(...words: string[]): Promise<ToolResult> {
    return this.#run(LAUNCHCTL, words, this.#env);
  }
}
