/** What the mock model does with one request. */
export interface ModelStep {
  text?: string;
  /** A thinking block before the text. */
  thinking?: string;
  /** Tool calls; they make the stop reason `tool_use`. */
  tools?: { name: string; input?: Record<string, unknown> }[];
  /** Silence before the response headers. */
  delay_ms?: number;
  /** Silence after `message_start`, with a ping each second. */
  stall_ms?: number;
  /** Pause between the words of the text. */
  chunk_ms?: number;
  /** Refuse with this HTTP status instead. */
  status?: number;
  error?: string;
  message?: string;
  stop_reason?: string;
  /** How many requests this step serves: 1 unless said, -1 for ever. */
  repeat?: number;
  input_tokens?: number;
  output_tokens?: number;
}

/** Requests that offer tools are the `main` lane; those that do not (titles, summaries of tools) are the `side` lane. */
export type Lane = 'main' | 'side';

/** Steps for the requests that fit. */
export interface ModelRoute {
  lane?: Lane;
  /** Pattern tried against the whole request body. */
  match?: string;
  /** Pattern tried against the first user message alone: it tells a subagent's requests from its parent's. */
  opening?: string;
  steps: ModelStep[];
}

/** The mock model's part of a scenario. */
export interface ModelPlan {
  routes?: ModelRoute[];
  /** Serves what no route serves. */
  default?: ModelStep;
}

interface OpenRoute {
  lane: Lane | undefined;
  match: RegExp | undefined;
  opening: RegExp | undefined;
  steps: { step: ModelStep; left: number }[];
}

function openRoute(route: ModelRoute): OpenRoute {
  return {
    lane: route.lane,
    match: route.match === undefined ? undefined : new RegExp(route.match),
    opening: route.opening === undefined ? undefined : new RegExp(route.opening),
    steps: route.steps.map((step) => ({ step, left: step.repeat ?? 1 })),
  };
}

/** Gives each request its scripted step: the first fitting route that still has one. */
export class ModelScript {
  readonly #fallback: ModelStep;
  readonly #routes: OpenRoute[];

  constructor(plan: ModelPlan = {}) {
    this.#fallback = plan.default ?? { text: 'Done.' };
    this.#routes = (plan.routes ?? []).map(openRoute);
  }

  /** Takes the next step for a request with this body and this first user message. */
  next(lane: Lane, body: string, opening: string): ModelStep {
    for (const route of this.#routes) {
      if (route.lane !== undefined && route.lane !== lane) continue;
      if (route.match?.test(body) === false) continue;
      if (route.opening?.test(opening) === false) continue;
      const open = route.steps.find(({ left }) => left !== 0);
      if (open === undefined) continue;
      if (open.left > 0) open.left -= 1;
      return open.step;
    }
    return this.#fallback;
  }
}
