import { existsSync } from 'node:fs';
import type { Surroundings } from '../../contract/paths.ts';
import type { RunTool } from './run-tool.ts';
import { managerFailed, type Reach, type ServiceManager, type Standing } from './service-manager.ts';
import { SERVICE_UNIT, SOCKET_UNIT, userRuntimeDir } from './systemd-units.ts';

const SYSTEMCTL = 'systemctl';
const UNITS = [SOCKET_UNIT, SERVICE_UNIT] as const;
/** States of a unit in which its process may live. */
const LIVING = new Set(['active', 'activating', 'deactivating', 'reloading']);

/** The user's systemd. */
export class SystemdManager implements ServiceManager {
  readonly name = 'systemd';
  readonly inspect = `systemctl --user status ${SERVICE_UNIT}`;
  readonly byHand = {
    arm: ['systemctl --user daemon-reload', `systemctl --user start ${SOCKET_UNIT}`],
    stop: [`systemctl --user stop ${UNITS.join(' ')}`],
    forget: ['systemctl --user daemon-reload'],
  };
  readonly #run: RunTool;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(around: Surroundings, run: RunTool) {
    this.#run = run;
    const runtimeDir = userRuntimeDir(around);
    // A shell of su, sudo or cron does not name it, and systemctl looks nowhere else.
    this.#env = existsSync(runtimeDir) ? { ...around.env, XDG_RUNTIME_DIR: runtimeDir } : around.env;
  }

  async reach(): Promise<Reach> {
    const result = await this.#systemctl(['show', '--property=Version']);
    if (result.is === 'missing') return { is: 'missing' };
    return result.ok ? { is: 'here' } : { is: 'unreachable', why: result.said };
  }

  async standing(): Promise<Standing> {
    const units = await this.#units();
    if (LIVING.has(units.get(SERVICE_UNIT)?.get('ActiveState') ?? '')) return 'running';
    return LIVING.has(units.get(SOCKET_UNIT)?.get('ActiveState') ?? '') ? 'armed' : 'off';
  }

  async failure(): Promise<string | undefined> {
    const failed = [...(await this.#units())].filter(([, state]) => state.get('ActiveState') === 'failed');
    const told = failed.map(([unit, state]) => `${unit} failed (${state.get('Result') ?? 'unknown'})`);
    return told.length === 0 ? undefined : told.join(', ');
  }

  async arm(): Promise<void> {
    await this.#order('daemon-reload');
    await this.#resetFailed();
    await this.#order('start', SOCKET_UNIT);
  }

  async start(): Promise<void> {
    await this.#resetFailed();
    await this.#order('start', ...UNITS);
  }

  async stop(): Promise<void> {
    await this.#order('stop', ...UNITS);
  }

  async restart(): Promise<void> {
    await this.#resetFailed();
    await this.#order('restart', SERVICE_UNIT);
  }

  async forget(): Promise<void> {
    await this.#order('daemon-reload');
    await this.#resetFailed();
  }

  /** A unit that failed too often is not started again before this. It fails where nothing failed: no matter. */
  async #resetFailed(): Promise<void> {
    await this.#systemctl(['reset-failed', ...UNITS]);
  }

  async #order(...words: string[]): Promise<void> {
    const result = await this.#systemctl(words);
    if (result.is === 'ran' && result.ok) return;
    const said = result.is === 'missing' ? 'systemctl was not found' : result.said;
    throw managerFailed(`systemctl --user ${words.join(' ')}`, said, this.inspect);
  }

  /** Properties of our units, by unit. Empty when systemd cannot be asked. */
  async #units(): Promise<Map<string, Map<string, string>>> {
    const properties = '--property=Id,ActiveState,Result';
    const result = await this.#systemctl(['show', properties, ...UNITS]);
    return result.is === 'ran' && result.ok ? readUnits(result.stdout) : new Map();
  }

  #systemctl(words: readonly string[]) {
    return this.#run(SYSTEMCTL, ['--user', '--no-ask-password', ...words], this.#env);
  }
}

/** Reads what `systemctl show` prints: `Name=value` lines, an empty line between units. */
export function readUnits(text: string): Map<string, Map<string, string>> {
  const units = new Map<string, Map<string, string>>();
  for (const block of text.split(/\n{2,}/)) {
    const properties = new Map<string, string>();
    for (const line of block.split('\n')) {
      const at = line.indexOf('=');
      if (at > 0) properties.set(line.slice(0, at), line.slice(at + 1));
    }
    const id = properties.get('Id');
    if (id !== undefined) units.set(id, properties);
  }
  return units;
}
