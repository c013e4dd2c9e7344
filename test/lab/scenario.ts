import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionState } from '../../contract/events.ts';
import type { ModelPlan } from './model-script.ts';

/** How the host answers one kind of ask. `none` leaves it open. */
export interface AskAnswer {
  behavior?: 'allow' | 'deny' | 'none';
  after_ms?: number;
  updatedInput?: Record<string, unknown>;
  message?: string;
  interrupt?: boolean;
  /** The whole answer to an ask that is no tool call. */
  response?: Record<string, unknown>;
}

/** One thing a driver does. Exactly one of the keys says which; the others go with it. */
export interface ScenarioStep {
  /** Sends a prompt as the host does; `with` adds keys to its line. */
  user?: string;
  with?: Record<string, unknown>;
  /** Sends a control request. */
  control?: Record<string, unknown>;
  /** Sends this line. */
  raw?: Record<string, unknown>;
  /** Waits for a line that contains these values. */
  await?: Record<string, unknown>;
  /** Types into the terminal. */
  keys?: string;
  /** Waits until the terminal's new text matches this pattern. */
  screen?: string;
  /** Waits until the agent announces this state to its terminal, after those awaited before. */
  status?: SessionState;
  /** Milliseconds. */
  sleep?: number;
  /** Sends a signal to the process that the host started or, with `to`, to the agent wherever it is. */
  signal?: NodeJS.Signals;
  to?: 'agent';
  /** Closes stdin. */
  close?: boolean;
  /** Waits so many milliseconds for the end of the process. */
  exit?: number;
  /** Runs a shell command beside the agent. */
  sh?: string;
  timeout_ms?: number;
}

/** A scripted run of the real Claude Code against the mock model. */
export interface Scenario {
  name: string;
  about: string;
  /**
   * `stream`: as the SDK and VS Code drive it. `tui`: in a terminal. `print`: one shot, arguments only. `sdk`: the host is
   * the SDK itself, in a suite of its own.
   */
  mode: 'stream' | 'tui' | 'print' | 'sdk';
  args?: string[];
  env?: Record<string, string>;
  mock?: ModelPlan;
  /** Answers by tool name or request subtype; `*` for all others. Allowed at once where nothing is said. */
  host?: Record<string, AskAnswer>;
  script?: ScenarioStep[];
  settings?: Record<string, unknown>;
  /** Files of the project folder, by path. */
  files?: Record<string, string>;
  /** Name of the project folder below the home. */
  project?: string;
  /** The scenario that has to run before in the same home. */
  after?: string;
  /** False sends no `initialize` request first. */
  initialize?: false | Record<string, unknown>;
  /** False leaves the terminal query for program status (OSC 7501) unanswered. */
  program_status?: boolean;
  /** Install no hooks, whatever the suite does. */
  no_hooks?: boolean;
}

/** Where the scenarios are: OMNI_DEV_SCENARIOS, or the project's own. */
export function scenariosDir(): string {
  return process.env.OMNI_DEV_SCENARIOS ?? path.join(import.meta.dirname, 'claude-scenarios');
}

export function loadScenario(name: string, dir = scenariosDir()): Scenario {
  return JSON.parse(readFileSync(path.join(dir, `${name}.json`), 'utf8')) as Scenario;
}

/** Every scenario of the folder, by name. */
export function loadScenarios(dir = scenariosDir()): Scenario[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => loadScenario(path.basename(name, '.json'), dir));
}

/** Replaces the words `$NAME` of a scenario's texts, wherever they stand. Unknown words stay. */
export function expandWords<T>(value: T, words: Record<string, string>): T {
  const text = JSON.stringify(value).replace(/\$([A-Z]+)\b/g, (word, name: string) => {
    const replacement = words[name];
    return replacement === undefined ? word : JSON.stringify(replacement).slice(1, -1);
  });
  return JSON.parse(text) as T;
}

/** True when `value` has every key of `part` with an equal value, nested ones included. */
export function contains(value: unknown, part: unknown): boolean {
  if (part === null || typeof part !== 'object') return value === part;
  if (value === null || typeof value !== 'object') return false;
  const held = value as Record<string, unknown>;
  return Object.entries(part).every(([key, want]) => contains(held[key], want));
}
