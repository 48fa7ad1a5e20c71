import { findTabbable, isVisible, isRendered } from '../../dom/focusable.js';

/** Regions of an element. A side panel that is shown as a drawer is represented by its button. */
const REGIONS = [
  '.window-head',
  '.side-toggles > button',
  '.side',
  '.threads',
  '.gate',
  '.transcript',
  '.status-bar',
  '.composer',
  '.requests',
  '.documents',
  '.checkpoints',
  '.branch-map',
  '.details-area',
].join();

/** The node that had the focus last, by region. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Focuses the next (1) or previous (-1) focusable region, relative to the region in the event's `path`. */
export function focusNextRegion(
  members: ReadonlySet<EventTarget>,
  path: readonly EventTarget[],
  step: 1 | -1,
): void {
  const regions = findRegions(members);
  const [target] = path;
  const current = regions.find((region) => path.includes(region));
  if (current && target instanceof HTMLElement) lastFocused.set(current, target);
  const { length } = regions;
  const countBefore = regions.filter(
    (one) => target instanceof Node && compareFlatTree(one, target) < 0,
  ).length;
  // Between two regions, for example in slotted content, continue from that position.
  const from = current ? regions.indexOf(current) : step > 0 ? countBefore - 1 : countBefore;
  for (let count = 1; count <= length; count += 1) {
    // The added multiple of the length keeps the dividend positive.
    const region = regions[(from + count * step + length * count) % length];
    if (region && region !== current && focusRegion(region)) return;
  }
}

/**
 * Returns the visible regions in flat tree order. For a side panel that contains at most one region, returns only the panel; for one that
 * contains several, only these regions.
 */
function findRegions(members: ReadonlySet<EventTarget>): Element[] {
  const all = [...members]
    .flatMap((one) => [...((one as Element).shadowRoot?.querySelectorAll(REGIONS) ?? [])])
    .filter(isVisible)
    .sort(compareFlatTree);
  return all.filter((region) => {
    const outer = all.find((one) => one !== region && flatTreePath(region).includes(one));
    // A single region in a side panel is entered together with the host page's content in that panel; several regions in one panel count
    // separately.
    if (outer) return countInside(all, outer) > 1;
    return countInside(all, region) < 2;
  });
}

function countInside(all: readonly Element[], box: Element): number {
  return all.filter((one) => one !== box && flatTreePath(one).includes(box)).length;
}

function focusRegion(region: Element): boolean {
  const last = lastFocused.get(region);
  const canRestore = last?.isConnected === true && isRendered(last);
  const target = canRestore ? last : findEntry(region);
  target?.focus();
  // Inert nodes and nodes behind a modal dialog cannot be focused.
  return target?.matches(':focus') ?? false;
}

/**
 * Returns the node that gets the focus when a region is entered: its field, else for a side panel the slotted content, else the first
 * tabbable node, including those in nested shadow trees.
 */
function findEntry(node: Element): HTMLElement | undefined {
  const field = node.querySelector<HTMLElement>('.field textarea');
  const slot = node.matches('.side') && node.querySelector('slot');
  return field ?? (slot ? findTabbable(slot) : undefined) ?? findTabbable(node);
}

/** Compares two nodes in flat tree order: slotted nodes have the position of their slot. */
function compareFlatTree(one: Node, other: Node): number {
  const path = flatTreePath(one);
  const otherPath = flatTreePath(other);
  const at = path.findIndex((ancestor, index) => ancestor !== otherPath[index]);
  const [node, otherNode] = [path[at], otherPath[at]];
  // One node contains the other, and comes first.
  if (!node || !otherNode) return path.length - otherPath.length;
  const position = node.compareDocumentPosition(otherNode);
  return position & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** Returns the flat tree path of a node: from the outermost ancestor, through shadow roots and slots, to itself. */
function flatTreePath(node: Node): readonly Node[] {
  const path: Node[] = [];
  for (let parent: Node | null = node; parent; parent = flatTreeParent(parent)) {
    path.unshift(parent);
  }
  return path;
}

function flatTreeParent(node: Node): Node | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}
