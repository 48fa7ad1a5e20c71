import { framesOf } from '../../dom/frames.js';
import { findFocusable } from './find-focusable.js';
import { isRendered } from '../../dom/is-rendered.js';

/** What never goes while the element is there: nobody has to wait for its going. */
const LASTING = '.scroller, .field textarea';

/** What is written in. Somebody who writes presses keys before they see that it is gone: no button may take those. */
const WRITTEN_IN = 'textarea, input, select, [contenteditable]';

/** What only leads, and does nothing that cannot be undone by the same key. */
const HARMLESS = `${WRITTEN_IN}, summary, [tabindex]:not(button, a)`;

/** Where a node stood: between which others. */
interface Place {
  readonly parent: ParentNode;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/** Keeps the focus in an element: when what has it goes, it goes on at what is nearest, and not at the top of the page. */
export class FocusKeeper {
  readonly #root: ShadowRoot;
  #held: Element | null = null;
  /** Where it stood, from the innermost box to the root. */
  #places: readonly Place[] = [];
  readonly #frames = framesOf(window);
  readonly #changes = new MutationObserver(() => {
    this.#suspect();
  });

  constructor(root: ShadowRoot) {
    this.#root = root;
    root.addEventListener('focusin', (event) => {
      this.#hold(event.target);
    });
    root.addEventListener('focusout', () => {
      // What is taken away is told so before it is gone.
      queueMicrotask(this.#leave);
    });
    this.#hold(root.activeElement);
  }

  #hold(target: EventTarget | null): void {
    this.#forget();
    if (!(target instanceof Element) || target.matches(LASTING)) return;
    this.#held = target;
    this.#places = placesOf(target);
    const attributeFilter = ['hidden', 'open', 'disabled'];
    this.#changes.observe(this.#root, { subtree: true, childList: true, attributeFilter });
  }

  #forget(): void {
    this.#held = null;
    this.#places = [];
    this.#changes.disconnect();
  }

  /** The focus has left what had it: because the person went elsewhere, or because it is gone. */
  readonly #leave = (): void => {
    if (this.#root.activeElement || !this.#held) return;
    if (isThere(this.#held)) this.#forget();
    else this.#suspect();
  };

  /** What had the focus may be gone. Whoever took it away has this frame and the next to give the focus to something else. */
  #suspect(): void {
    if (this.#held && !isThere(this.#held)) this.#frames.schedule(this.#wait);
  }

  readonly #wait = (): void => {
    this.#frames.schedule(this.#look);
  };

  readonly #look = (): void => {
    const held = this.#held;
    if (!held || isThere(held)) return;
    const active = document.activeElement;
    const isLost =
      this.#root.activeElement === null && (active === null || active === document.body);
    const places = this.#places;
    this.#forget();
    if (!isLost || !this.#root.host.isConnected) return;
    this.#goOn(places, held.matches(WRITTEN_IN) ? HARMLESS : '*');
  };

  /** Goes on at the nearest that takes the focus and is `wanted`. */
  #goOn(places: readonly Place[], wanted: string): void {
    for (const place of places) {
      // Further away it is another part of the chat: there the messages are nearest, or the field.
      if (place.parent instanceof Element && place.parent.matches('.main, .ubik')) break;
      for (const next of candidates(place)) {
        const target = findFocusable(next, wanted);
        target?.focus({ preventScroll: true });
        if (target?.matches(':focus')) return;
      }
    }
    const box = this.#root.querySelector('.ubik');
    const rest = box?.querySelector<HTMLElement>(LASTING);
    (rest ?? (box && (findFocusable(box, wanted) ?? findFocusable(box))))?.focus({
      preventScroll: true,
    });
  }
}

function isThere(node: Element): boolean {
  return (
    node.isConnected && isRendered(node, { visibilityProperty: true }) && !node.matches(':disabled')
  );
}

function placesOf(node: Element): readonly Place[] {
  const places: Place[] = [];
  for (let at: Element | null = node; at; at = at.parentElement) {
    const { parentNode, nextElementSibling: next, previousElementSibling: previous } = at;
    // What the page has put into the element is not ours to lead into.
    if (!parentNode) break;
    places.push({ parent: parentNode, next, previous });
  }
  return places;
}

/** What stands behind a place, then what stands before it; where neither is there any more, what has come instead. */
function* candidates({ parent, next, previous }: Place): Generator<Element> {
  for (let at = next; at?.parentNode === parent; at = at.nextElementSibling) yield at;
  for (let at = previous; at?.parentNode === parent; at = at.previousElementSibling) yield at;
  if (next?.parentNode !== parent && previous?.parentNode !== parent) yield* parent.children;
}
