/** What these readers use of the browser; the project's types are Node's. */
interface Element {
  textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  getBoundingClientRect(): { top: number };
}
declare const document: {
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
};
declare function getComputedStyle(element: Element, pseudo?: string): { content: string; color: string };

/** One row of the tree as a person sees it. */
export interface DrawnRow {
  level: number;
  label: string;
  description: string;
  /** Text of the badge at the right end, as drawn. */
  badge: string;
  /** Colour of the label, as drawn. */
  color: string;
  tooltip: string;
}

// Each of these runs inside the page, so it can use nothing but its argument.

export function textOf(selector: string): string {
  return document.querySelector(selector)?.textContent?.trim() ?? '';
}

export function textsOf(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map((element) => element.textContent ?? '');
}

export function labelOf(selector: string): string {
  return document.querySelector(selector)?.getAttribute('aria-label') ?? '';
}

export function rowsOf(tree: string): DrawnRow[] {
  const rows = [...document.querySelectorAll(`${tree} .monaco-list-row`)];
  rows.sort((left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top);
  return rows.map((row) => {
    const name = row.querySelector('.label-name');
    const icon = row.querySelector('.monaco-icon-label');
    const badge = icon === null ? 'none' : getComputedStyle(icon, '::after').content;
    return {
      level: Number(row.getAttribute('aria-level')),
      label: name?.textContent ?? '',
      description: row.querySelector('.label-description')?.textContent ?? '',
      badge: badge === 'none' ? '' : badge.replace(/^"|"$/g, ''),
      color: name === null ? '' : getComputedStyle(name).color,
      tooltip: row.getAttribute('aria-label') ?? '',
    };
  });
}

interface Counting {
  omniDevMutations?: number;
}
declare const window: Counting;
declare class MutationObserver {
  constructor(report: (records: unknown[]) => void);
  observe(element: Element, what: Record<string, boolean>): void;
}

/** Counts from now on what changes below an element. */
export function watchMutations(selector: string): void {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`nothing at ${selector}`);
  window.omniDevMutations = 0;
  new MutationObserver((records) => {
    window.omniDevMutations = (window.omniDevMutations ?? 0) + records.length;
  }).observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
}

export function countMutations(_: string): number {
  return window.omniDevMutations ?? -1;
}
