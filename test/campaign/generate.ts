/** Small seeded generator (mulberry32), so that a failing seed can be run again anywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}

/** One hook of a simulated agent: its payload and which of the campaign's processes it comes from. */
export interface SimulatedHook {
  payload: Record<string, unknown>;
  process: number;
}

const TOOLS = ['Bash', 'Write', 'AskUserQuestion', 'Read'];

/** Writes the life of one session, hook by hook, as Claude Code would fire them. */
class SimulatedSession {
  readonly #random: Random;
  readonly #id: string;
  #process: number;
  readonly #processes: number;
  #turn = 0;
  #phase: 'fresh' | 'idle' | 'working' | 'asking' | 'ended' = 'fresh';

  constructor(random: Random, index: number, processes: number) {
    this.#random = random;
    const text = index.toString(16).padStart(12, '0');
    this.#id = `00000000-0000-4000-8000-${text}`;
    this.#processes = processes;
    this.#process = random.below(processes);
  }

  next(): SimulatedHook {
    switch (this.#phase) {
      case 'fresh':
        this.#phase = 'idle';
        return this.#hook('SessionStart', {
          source: 'startup',
          model: `claude-model-${this.#random.below(3)}`,
        });
      case 'ended':
        this.#phase = 'idle';
        this.#process = this.#random.below(this.#processes);
        return this.#hook('SessionStart', { source: 'resume' });
      case 'idle':
        return this.#fromIdle();
      case 'working':
        return this.#fromWork();
      case 'asking':
        this.#phase = 'working';
        return this.#hook(this.#random.next() < 0.8 ? 'PostToolUse' : 'PostToolUseFailure', {});
    }
  }

  #fromIdle(): SimulatedHook {
    if (this.#random.next() < 0.12) {
      this.#phase = 'ended';
      return this.#hook('SessionEnd', { reason: 'other' });
    }
    this.#phase = 'working';
    this.#turn += 1;
    return this.#hook('UserPromptSubmit', { prompt: 'not for the journal' });
  }

  #fromWork(): SimulatedHook {
    const chance = this.#random.next();
    if (chance < 0.3) return this.#hook('PreToolUse', { tool_name: this.#random.pick(TOOLS) });
    if (chance < 0.45) return this.#subagent();
    if (chance < 0.65) {
      this.#phase = 'asking';
      return this.#hook('PermissionRequest', { tool_name: this.#random.pick(TOOLS) });
    }
    if (chance < 0.75) return this.#hook('PreCompact', { trigger: 'auto' });
    this.#phase = 'idle';
    if (chance < 0.8) return this.#hook('StopFailure', { error: 'server_error' });
    const tasks = chance < 0.85 ? [{ id: 'b', type: 'shell', status: 'running' }] : [];
    return this.#hook('Stop', { background_tasks: tasks });
  }

  #subagent(): SimulatedHook {
    const agent = { agent_id: `a${this.#random.below(3)}`, agent_type: 'Explore' };
    return this.#hook(
      this.#random.pick(['PreToolUse', 'PermissionRequest', 'PostToolUse', 'SubagentStop']),
      agent,
    );
  }

  #hook(name: string, more: object): SimulatedHook {
    return {
      process: this.#process,
      payload: {
        session_id: this.#id,
        hook_event_name: name,
        cwd: `/projects/${this.#id.at(-1)}`,
        prompt_id: `p${this.#turn}`,
        ...more,
      },
    };
  }
}

/** The interleaved hooks of many sessions. */
export function simulateHooks(
  seed: number,
  events: number,
  sessions: number,
  processes: number,
): SimulatedHook[] {
  const random = new Random(seed);
  const all = Array.from({ length: sessions }, (_, index) => new SimulatedSession(random, index, processes));
  return Array.from({ length: events }, () => random.pick(all).next());
}
