import { objectOf, type StreamLine, textOf, wordOf } from './stream-line.ts';

/**
 * Who the session is: id, folder and model as the stream names them. Only Claude's own lines give an id and a folder
 * (hosts send blank or made-up ids); of the host's lines only a picked model counts.
 */
export class StreamIdentity {
  readonly #setModelIds = new Set<string>();
  #sessionId: string | undefined;
  #endedId: string | undefined;
  #cwd: string | undefined;
  #cwdMoves = 0;
  #model: string | undefined;

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** How often a known folder changed. */
  get cwdMoves(): number {
    return this.#cwdMoves;
  }

  get model(): string | undefined {
    return this.#model;
  }

  /** Learns from a line of Claude's. The first id stays; a folder too, except that each turn's `init` carries a new one. */
  learn(line: StreamLine): void {
    if (this.#sessionId === undefined && line.sessionId !== this.#endedId) this.#sessionId = line.sessionId;
    this.#learnCwd(line);
    if (!line.isSubagent) this.#setModel(line.model);
  }

  /** `/clear`: the id is over and the next different one takes its place. Returns the id that ended, if one was known. */
  reset(): string | undefined {
    const ended = this.#sessionId;
    this.#endedId = ended ?? this.#endedId;
    this.#sessionId = undefined;
    return ended;
  }

  /** The host picks a model; `default` and nothing are left for Claude's answer to resolve. */
  hostSetsModel({ request, requestId }: StreamLine): void {
    if (requestId !== undefined) this.#setModelIds.add(requestId);
    const model = wordOf(request?.model);
    if (model !== 'default') this.#setModel(model);
  }

  /** Claude's answer to a `set_model` names the model that was really taken. */
  answered(requestId: string, { response }: StreamLine): void {
    if (this.#setModelIds.delete(requestId)) this.#setModel(wordOf(objectOf(response?.response)?.model));
  }

  #learnCwd(line: StreamLine): void {
    if (line.cwd === undefined || line.cwd === this.#cwd) return;
    if (this.#cwd === undefined) this.#cwd = line.cwd;
    else if (line.type === 'system' && line.subtype === 'init') {
      this.#cwd = line.cwd;
      this.#cwdMoves += 1;
    }
  }

  /** `<synthetic>` stands on what no model wrote: output of local commands, API errors. */
  #setModel(model: string | undefined): void {
    if (model !== undefined && model !== '<synthetic>') this.#model = model;
  }
}

/** The request id of an answer: in its body, else at the top level. */
export function answerId(line: StreamLine): string | undefined {
  return textOf(line.response?.request_id) ?? line.requestId;
}
