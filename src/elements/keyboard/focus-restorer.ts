import { FIELDS } from '../../dom/event-target.js';
import { getFrameScheduler } from '../../dom/frames.js';
import { findTabbable, isFocusLost, isRendered } from '../../dom/focusable.js';

/** Elements that are never removed, so that their removal need not be observed. */
const PERMANENT = '.scroller, .field textarea';

/** The first of these that is shown gets the focus when no control is near. */
const FALLBACKS = `.gate, ${PERMANENT}`;

/**
 * What may get the focus after a field was removed: other fields, and nodes where typed keys do no harm, because they scroll, or open and
 * close a disclosure. A user who is typing presses further keys before noticing that the field was removed, so the focus must not move to a
 * button.
 */
const SAFE_AFTER_FIELD = `${FIELDS}, summary, [tabindex]:not(button, a)`;

/** Position of a node: its parent, its siblings, and its slot if it is content of the host page. */
interface Position {
  readonly parent: ParentNode;
  readonly slot: HTMLSlotElement | null;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/**
 * When the focused control of an element is removed, hidden or disabled, focuses the nearest control, so that the focus does not fall back
 * to the top of the page.
 */
export class FocusRestorer {
  readonly #root: ShadowRoot;
  #focused: Element | null = null;
  /** Positions of the focused node and its ancestors, innermost first. */
  #positions: readonly Position[] = [];
  readonly #frames = getFrameScheduler(window);
  readonly #observer = new MutationObserver(() => {
    this.#scheduleCheck();
  });

  /** `focused` is the node that got the focus last, which may have been removed since. */
  constructor(root: ShadowRoot, focused: Element | null) {
    this.#root = root;
    root.addEventListener('focusin', (event) => {
      this.#track(event.target);
    });
    root.addEventListener('focusout', () => {
      // Browsers other than Firefox (see `#track`) fire `focusout` before the node is removed, so check in a microtask.
      queueMicrotask(this.#handleBlur);
    });
    this.#track(focused);
    this.#scheduleCheck();
  }

  #track(target: EventTarget | null): void {
    this.#untrack();
    if (!(target instanceof Element) || target.matches(PERMANENT)) return;
    this.#focused = target;
    this.#positions = positionsOf(target, this.#root);
    const attributeFilter = ['hidden', 'open', 'disabled'];
    const options = { subtree: true, childList: true, attributeFilter };
    this.#observer.observe(this.#root, options);
    // Firefox does not fire `focusout` for a node that is removed. A slotted node is inside the host, but outside of the root.
    if (!this.#root.contains(target)) this.#observer.observe(this.#root.host, options);
  }

  #untrack(): void {
    this.#focused = null;
    this.#positions = [];
    this.#observer.disconnect();
  }

  /** Called when the focused control has lost the focus: the user has moved the focus, or the control was removed. */
  readonly #handleBlur = (): void => {
    if (this.#root.activeElement || !this.#focused) return;
    if (canHaveFocus(this.#focused)) this.#untrack();
    else this.#scheduleCheck();
  };

  /** Restores the focus in two frames if the focused control was removed, so that the code that has removed it can move the focus itself. */
  #scheduleCheck(): void {
    if (this.#focused && !canHaveFocus(this.#focused)) this.#frames.schedule(this.#waitOneFrame);
  }

  readonly #waitOneFrame = (): void => {
    this.#frames.schedule(this.#restoreIfLost);
  };

  readonly #restoreIfLost = (): void => {
    const focused = this.#focused;
    if (!focused || canHaveFocus(focused)) return;
    const positions = this.#positions;
    const { host } = this.#root;
    this.#untrack();
    if (!isFocusLost(host) || !host.isConnected) return;
    this.#focusNearest(positions, focused.matches(FIELDS) ? SAFE_AFTER_FIELD : '*');
  };

  /** Focuses the nearest control that matches `selector`. */
  #focusNearest(positions: readonly Position[], selector: string): void {
    for (const position of positions) {
      // The children of these containers are other regions. The messages or the field get the focus instead of a control there.
      if (position.parent instanceof Element && position.parent.matches('.main, .ubik')) break;
      for (const next of candidatesNear(position)) {
        const target = findTabbable(next, selector);
        target?.focus({ preventScroll: true });
        if (target?.matches(':focus')) return;
      }
    }
    const root = this.#root.querySelector('.ubik');
    const shown = [...(root?.querySelectorAll<HTMLElement>(FALLBACKS) ?? [])].find((node) =>
      isRendered(node),
    );
    (shown ?? (root && (findTabbable(root, selector) ?? findTabbable(root))))?.focus({
      preventScroll: true,
    });
  }
}

function canHaveFocus(node: Element): boolean {
  return (
    node.isConnected && isRendered(node, { visibilityProperty: true }) && !node.matches(':disabled')
  );
}

/**
 * Returns the positions from a node up to a shadow root. From a slotted node, they continue at its slot, because its parent, the host, is
 * outside of the shadow tree. Empty for a node of the page whose slot is not accessible.
 */
function positionsOf(node: Element, root: ShadowRoot): readonly Position[] {
  const positions: Position[] = [];
  for (
    let ancestor: Element | null = node;
    ancestor;
    ancestor = ancestor.assignedSlot ?? ancestor.parentElement
  ) {
    const { parentNode: parent, assignedSlot: slot } = ancestor;
    // Only a detached node has no parent.
    if (!parent) break;
    const { nextElementSibling: next, previousElementSibling: previous } = ancestor;
    positions.push({ parent, slot, next, previous });
  }
  return positions.at(-1)?.parent === root ? positions : [];
}

/**
 * Yields candidates at a position: the following siblings, then the preceding ones, then all children of the parent. Near a slotted node,
 * only nodes in the same slot are candidates.
 */
function* candidatesNear(position: Position): Generator<Element> {
  for (const node of nodesNear(position)) if (node.assignedSlot === position.slot) yield node;
}

function* nodesNear({ parent, next, previous }: Position): Generator<Element> {
  for (let at = next; at?.parentNode === parent; at = at.nextElementSibling) yield at;
  for (let at = previous; at?.parentNode === parent; at = at.previousElementSibling) yield at;
  // Siblings that were added afterwards, between `previous` and `next`.
  yield* parent.children;
}
