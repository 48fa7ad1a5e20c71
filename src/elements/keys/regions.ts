import type { LitElement } from 'lit';

/** The parts of a chat in the order in which they are gone through. A side that is a drawer has its button in its place. */
const REGIONS = [
  '.window-head',
  '.sides-bar .to-start',
  '.side.start',
  '.transcript',
  '.status-bar',
  '.composer',
  '.passage',
  '.side.end',
  '.sides-bar .to-end',
];

/** The parts of a chat that the keyboard goes through, each entered where it was left. */
export class Regions {
  readonly #chat: LitElement;
  /** Where the focus was in each. */
  readonly #left = new WeakMap<Element, HTMLElement>();

  constructor(chat: LitElement) {
    this.#chat = chat;
  }

  /** Leads from the part that a key came from, as `path` says, to the next one (1) or the one before (-1). */
  go(path: readonly EventTarget[], step: 1 | -1): boolean {
    const regions = REGIONS.flatMap((one) => this.#chat.renderRoot.querySelector(one) ?? []);
    const from = regions.findIndex((region) => path.includes(region));
    const here = regions[from];
    if (here && path[0] instanceof HTMLElement) this.#left.set(here, path[0]);
    const { length } = regions;
    const first = from < 0 && step < 0 ? 0 : from;
    for (let count = 1; count <= length; count += 1) {
      const region = regions[(first + count * step + length * count) % length];
      if (region && region !== here && this.#enter(region)) return true;
    }
    return false;
  }

  #enter(region: Element): boolean {
    if (region.closest('[inert]')) return false;
    const left = this.#left.get(region);
    const isThere = left?.isConnected && left.checkVisibility();
    const target = isThere ? left : findEntry(region);
    target?.focus();
    return target !== undefined;
  }
}

/** Where a part of the page is entered: its field, what the page has put there, else the first thing that takes the focus, in whatever elements it stands. */
function findEntry(node: Element): HTMLElement | undefined {
  const field = node.querySelector<HTMLElement>('.field textarea');
  const slot = node.matches('.side') && node.querySelector('slot');
  return field ?? (slot ? findFocusable(slot) : undefined) ?? findFocusable(node);
}

function findFocusable(node: Element): HTMLElement | undefined {
  if (!node.checkVisibility({ visibilityProperty: true })) {
    // A slot has no box of its own.
    if (!(node instanceof HTMLSlotElement)) return undefined;
  }
  const canTake = node instanceof HTMLElement && node.tabIndex >= 0;
  if (canTake && !node.matches(':disabled, a:not([href])')) return node;
  const assigned = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [];
  for (const child of assigned.length > 0 ? assigned : (node.shadowRoot ?? node).children) {
    const found = findFocusable(child);
    if (found) return found;
  }
  return undefined;
}
