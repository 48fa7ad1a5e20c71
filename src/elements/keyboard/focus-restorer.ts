import { framesOf } from '../../dom/frames.js';
import { findFocusable, isRendered } from '../../dom/focusable.js';

/** What never goes while the element is there: nobody has to wait for its going. */
const PERMANENT = '.scroller, .field textarea';

/** What is written in. Somebody who writes presses keys before they see that it is gone: no button may take those. */
const FIELDS = 'textarea, input, select, [contenteditable]';

/** What only leads, and does nothing that cannot be undone by the same key. */
const SAFE_AFTER_FIELD = `${FIELDS}, summary, [tabindex]:not(button, a)`;

/** Where a node stood: between which others. */
interface Position {
  readonly parent: ParentNode;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/** Keeps the focus in an element: when what has it goes, it goes on at what is nearest, and not at the top of the page. */
export class FocusRestorer {
  readonly #root: ShadowRoot;
  #focused: Element | null = null;
  /** Where it stood, from the innermost box to the root. */
  #positions: readonly Position[] = [];
  readonly #frames = framesOf(window);
  readonly #observer = new MutationObserver(() => {
    this.#scheduleCheck();
  });

  constructor(root: ShadowRoot) {
    this.#root = root;
    root.addEventListener('focusin', (event) => {
      this.#track(event.target);
    });
    root.addEventListener('focusout', () => {
      // What is taken away is told so before it is gone.
      queueMicrotask(this.#handleBlur);
    });
    this.#track(root.activeElement);
  }

  #track(target: EventTarget | null): void {
    this.#untrack();
    if (!(target instanceof Element) || target.matches(PERMANENT)) return;
    this.#focused = target;
    this.#positions = positionsOf(target);
    const attributeFilter = ['hidden', 'open', 'disabled'];
    this.#observer.observe(this.#root, { subtree: true, childList: true, attributeFilter });
  }

  #untrack(): void {
    this.#focused = null;
    this.#positions = [];
    this.#observer.disconnect();
  }

  /** The focus has left what had it: because the person went elsewhere, or because it is gone. */
  readonly #handleBlur = (): void => {
    if (this.#root.activeElement || !this.#focused) return;
    if (canHaveFocus(this.#focused)) this.#untrack();
    else this.#scheduleCheck();
  };

  /** What had the focus may be gone. Whoever took it away has this frame and the next to give the focus to something else. */
  #scheduleCheck(): void {
    if (this.#focused && !canHaveFocus(this.#focused)) this.#frames.schedule(this.#waitOneFrame);
  }

  readonly #waitOneFrame = (): void => {
    this.#frames.schedule(this.#restoreIfLost);
  };

  readonly #restoreIfLost = (): void => {
    const focused = this.#focused;
    if (!focused || canHaveFocus(focused)) return;
    const active = document.activeElement;
    const isLost =
      this.#root.activeElement === null && (active === null || active === document.body);
    const positions = this.#positions;
    this.#untrack();
    if (!isLost || !this.#root.host.isConnected) return;
    this.#focusNearest(positions, focused.matches(FIELDS) ? SAFE_AFTER_FIELD : '*');
  };

  /** Goes on at the nearest that takes the focus and is `wanted`. */
  #focusNearest(positions: readonly Position[], wanted: string): void {
    for (const position of positions) {
      // Further away it is another part of the chat: there the messages are nearest, or the field.
      if (position.parent instanceof Element && position.parent.matches('.main, .ubik')) break;
      for (const next of candidatesNear(position)) {
        const target = findFocusable(next, wanted);
        target?.focus({ preventScroll: true });
        if (target?.matches(':focus')) return;
      }
    }
    const box = this.#root.querySelector('.ubik');
    const rest = box?.querySelector<HTMLElement>(PERMANENT);
    (rest ?? (box && (findFocusable(box, wanted) ?? findFocusable(box))))?.focus({
      preventScroll: true,
    });
  }
}

function canHaveFocus(node: Element): boolean {
  return (
    node.isConnected && isRendered(node, { visibilityProperty: true }) && !node.matches(':disabled')
  );
}

function positionsOf(node: Element): readonly Position[] {
  const positions: Position[] = [];
  for (let at: Element | null = node; at; at = at.parentElement) {
    const { parentNode, nextElementSibling: next, previousElementSibling: previous } = at;
    // What the page has put into the element is not ours to lead into.
    if (!parentNode) break;
    positions.push({ parent: parentNode, next, previous });
  }
  return positions;
}

/** What stands behind a place, then what stands before it; where neither is there any more, what has come instead. */
function* candidatesNear({ parent, next, previous }: Position): Generator<Element> {
  for (let at = next; at?.parentNode === parent; at = at.nextElementSibling) yield at;
  for (let at = previous; at?.parentNode === parent; at = at.previousElementSibling) yield at;
  if (next?.parentNode !== parent && previous?.parentNode !== parent) yield* parent.children;
}
