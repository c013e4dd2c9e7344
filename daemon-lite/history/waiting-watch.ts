import type { Clock } from '../../contract/clock.ts';
import type { WaitingTimePayload } from '../../contract/waiting-time.ts';
import type { RegistryApi } from '../registry/api.ts';
import { every } from '../service/beat.ts';
import { WaitingTime } from './waiting-time.ts';

/** Changes within this time are looked at together: the rows say since when they are as they are. */
const LOOK_DELAY_MS = 1_000;
/** A day begins, and time passes, without a change. */
const LOOK_EVERY_MS = 120_000;

/** Keeps {@link WaitingTime} up to date with the registry, at a pace that costs nothing under load. */
export class WaitingWatch {
  readonly #registry: RegistryApi;
  readonly #clock: Clock;
  readonly #time = new WaitingTime();
  #stopListening: () => void = () => {};
  #soon: NodeJS.Timeout | undefined;
  #stopRegular: () => void = () => {};

  constructor(registry: RegistryApi, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  start(): void {
    this.#look();
    this.#stopListening = this.#registry.onChange(() => {
      this.#soon ??= setTimeout(() => this.#look(), LOOK_DELAY_MS);
    });
    this.#stopRegular = every(LOOK_EVERY_MS, () => this.#look());
  }

  stop(): void {
    this.#stopListening();
    clearTimeout(this.#soon);
    this.#stopRegular();
  }

  /** Today's sums as of now. */
  today(): WaitingTimePayload {
    this.#look();
    return this.#time.today();
  }

  #look(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#time.look(this.#registry.list(), { wall: this.#clock.wall(), awake: this.#clock.awake() });
  }
}
