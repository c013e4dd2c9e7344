import type { EndPayload, ObservePayload } from '../../contract/messages.ts';
import type { EndOutcome, ObserveOutcome, RegistryApi, Route } from '../registry/api.ts';
import { Listeners } from '../registry/listeners.ts';
import type { RecordSighting } from '../registry/record-layer.ts';
import type { RepositoryNames } from './repository-names.ts';
import { SessionOrder } from './session-order.ts';

/**
 * The way into the registry for everything that speaks of a session, clients and feeds alike: names the repository of a
 * sighting's cwd unless the sender did, and keeps each session's sightings in order meanwhile.
 */
export class Ingest {
  readonly #registry: RegistryApi;
  readonly #names: Pick<RepositoryNames, 'nameFor'>;
  readonly #order = new SessionOrder();
  readonly #sightings = new Listeners<ObservePayload>();

  constructor(registry: RegistryApi, names: Pick<RepositoryNames, 'nameFor'>) {
    this.#registry = registry;
    this.#names = names;
  }

  /** Applies one sighting, at once where its repository is known. */
  observe(payload: ObservePayload, route: Route): ObserveOutcome | Promise<ObserveOutcome> {
    this.#sightings.emit(payload);
    const { cwd, repo } = payload;
    const name = repo !== undefined || cwd === undefined ? repo : this.#names.nameFor(cwd);
    return this.#order.run(payload.session_id, name, (found) => {
      if (found !== undefined) payload.repo = found;
      return this.#registry.observe(payload, route);
    });
  }

  /** Calls back with every sighting before it is applied; the result stops that. */
  onSighting(listener: (payload: ObservePayload) => void): () => void {
    return this.#sightings.add(listener);
  }

  /** Applies what a live record says, at once where its repository is known. */
  record(sighting: RecordSighting): void {
    const { cwd } = sighting;
    const name = cwd === undefined ? undefined : this.#names.nameFor(cwd);
    void this.#order.run(sighting.session_id, name, (found) =>
      this.#registry.record(found === undefined ? sighting : { ...sighting, repo: found }),
    );
  }

  /** Notes that a live record is gone, after everything of the session that came before it. */
  recordGone(...gone: Parameters<RegistryApi['recordGone']>): void {
    void this.#order.run(gone[0], undefined, () => this.#registry.recordGone(...gone));
  }

  /** Applies an end, after every sighting of the session that came before it. */
  end(
    payload: EndPayload,
    route: Route,
  ): { ended: boolean; outcome: EndOutcome } | Promise<{ ended: boolean; outcome: EndOutcome }> {
    return this.#order.run(payload.session_id, undefined, () => this.#registry.end(payload, route));
  }
}
