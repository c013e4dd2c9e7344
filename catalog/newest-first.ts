/** What a page is ordered by: ms since 1970. */
export interface Dated {
  at: number;
}

/**
 * Collects the newest items from a stream that is ordered by an upper bound of their times, and says when no later item
 * can be among them: of thousands of sessions only the few that make the page are opened.
 */
export class NewestFirst<T extends Dated> {
  readonly #limit: number;
  readonly #items: T[] = [];

  /** @param limit how many are wanted; Infinity for all */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True when nothing that happened at `bound` or earlier can be among the wanted. */
  isCompleteAt(bound: number): boolean {
    const last = this.#items[this.#limit - 1];
    return last !== undefined && last.at >= bound;
  }

  /** True when as many items as are wanted were found. Later ones may still be newer. */
  get isFull(): boolean {
    return this.#items.length >= this.#limit;
  }

  add(item: T): void {
    let position = this.#items.length;
    while (position > 0 && (this.#items[position - 1]?.at ?? 0) < item.at) position--;
    this.#items.splice(position, 0, item);
    if (this.#items.length > this.#limit) this.#items.pop();
  }

  get items(): readonly T[] {
    return this.#items;
  }
}
