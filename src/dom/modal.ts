/** The live regions of an element: in its container, or in the dialog that contains them. */
const LIVE_REGIONS = ':is(.ubik, dialog) > .hidden';

/**
 * Opens a modal dialog. Everything outside of the dialog is inert, and what changes there is not announced. So the live regions of the
 * elements around the `near` nodes are in the dialog while it is open.
 */
export function showModal(dialog: HTMLDialogElement, near: Iterable<Node> = [dialog]): void {
  for (const regions of new Set(Array.from(near, findLiveRegions))) {
    if (regions) moveInto(dialog, regions);
  }
  dialog.showModal();
}

/** Moves live regions into a dialog until it closes. */
function moveInto(dialog: HTMLDialogElement, regions: Element): void {
  const place = document.createComment('');
  regions.replaceWith(place);
  clear(regions);
  dialog.append(regions);
  dialog.addEventListener('close', () => {
    // If a dialog around this one has closed before, it has already put the regions back.
    if (!(place.getRootNode() instanceof ShadowRoot)) return;
    clear(regions);
    place.replaceWith(regions);
  });
}

/** Removes texts that were announced: some screen readers would announce them again in another place. */
function clear(regions: Element): void {
  for (const region of regions.children) region.replaceChildren();
}

/** Returns the live regions of the innermost element around a node that has some. */
function findLiveRegions(start: Node): Element | null {
  let node: Node | null = (start as Partial<Element>).shadowRoot ?? start;
  while (node) {
    const found = node instanceof ShadowRoot ? node.querySelector(LIVE_REGIONS) : null;
    if (found) return found;
    const slot: Node | null = node instanceof Element ? node.assignedSlot : null;
    node = slot ?? (node instanceof ShadowRoot ? node.host : node.parentNode);
  }
  return null;
}
