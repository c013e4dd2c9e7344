import type { Clock } from '../../contract/clock.ts';

/** A clock that tests move. Times are milliseconds; awake time starts at 0. */
export class FakeClock implements Clock {
  #wall: number;
  #awake = 0;

  constructor(wallStart = Date.parse('2026-10-03T00:00:00Z')) {
    this.#wall = wallStart;
  }

  wall(): number {
    return this.#wall;
  }

  awake(): number {
    return this.#awake;
  }

  /** Time passes while the machine is awake. */
  advance(ms: number): void {
    this.#wall += ms;
    this.#awake += ms;
  }

  /** The machine sleeps: only the wall clock moves. */
  sleep(ms: number): void {
    this.#wall += ms;
  }

  /** Someone sets the wall clock. */
  setWall(wall: number): void {
    this.#wall = wall;
  }
}
