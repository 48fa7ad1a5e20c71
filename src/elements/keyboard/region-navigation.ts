import { findFocusable, isVisible, isRendered } from '../../dom/focusable.js';

/** The parts of an element that are gone through. A side that is a drawer has its button in its place. */
const REGIONS = [
  '.window-head',
  '.sides-bar > *',
  '.side',
  '.threads',
  '.transcript',
  '.status-bar',
  '.composer',
  '.requests',
  '.documents',
  '.checkpoints',
  '.branch-map',
  '.passage',
].join();

/** Where the focus was in each part when it was left. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Leads from the part that a key came from, as its `path` says, to the next one (1) or the one before (-1) that can be entered. */
export function focusNextRegion(
  members: ReadonlySet<EventTarget>,
  path: readonly EventTarget[],
  step: 1 | -1,
): void {
  const regions = findRegions(members);
  const [origin] = path;
  const here = regions.find((region) => path.includes(region));
  if (here && origin instanceof HTMLElement) lastFocused.set(here, origin);
  const { length } = regions;
  const before = regions.filter(
    (one) => origin instanceof Node && compareFlatTree(one, origin) < 0,
  ).length;
  // Between two parts, such as in what the page has put there, the next one is the next from there.
  const from = here ? regions.indexOf(here) : step > 0 ? before - 1 : before;
  for (let count = 1; count <= length; count += 1) {
    const region = regions[(from + count * step + length * count) % length];
    if (region && region !== here && focusRegion(region)) return;
  }
}

/** The parts that a person sees, in the order in which they stand in the page. */
function findRegions(members: ReadonlySet<EventTarget>): Element[] {
  const all = [...members]
    .flatMap((one) => [...((one as Element).shadowRoot?.querySelectorAll(REGIONS) ?? [])])
    .filter(isVisible)
    .sort(compareFlatTree);
  return all.filter((region) => {
    const around = all.find((one) => one !== region && flatTreePath(region).includes(one));
    // What stands alone at a side is entered with all that the page has put around it; of several, each is a part.
    if (around) return countInside(all, around) > 1;
    return countInside(all, region) < 2;
  });
}

function countInside(all: readonly Element[], box: Element): number {
  return all.filter((one) => one !== box && flatTreePath(one).includes(box)).length;
}

function focusRegion(region: Element): boolean {
  const before = lastFocused.get(region);
  const isThere = before?.isConnected === true && isRendered(before);
  const target = isThere ? before : findEntry(region);
  target?.focus();
  // What is inert or covered by a dialog takes none.
  return target?.matches(':focus') ?? false;
}

/** Where a part is entered: its field, what the page has put there, else the first thing that takes the focus, in whatever elements it stands. */
function findEntry(node: Element): HTMLElement | undefined {
  const field = node.querySelector<HTMLElement>('.field textarea');
  const slot = node.matches('.side') && node.querySelector('slot');
  return field ?? (slot ? findFocusable(slot) : undefined) ?? findFocusable(node);
}

/** Orders two nodes as they are seen: what is put into a slot stands where the slot is. */
function compareFlatTree(one: Node, other: Node): number {
  const path = flatTreePath(one);
  const otherPath = flatTreePath(other);
  const at = path.findIndex((node, index) => node !== otherPath[index]);
  const [own, theirs] = [path[at], otherPath[at]];
  if (!own || !theirs) return path.length - otherPath.length;
  const place = own.compareDocumentPosition(theirs);
  return place & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** What a node stands in, through shadow roots and slots, from the outermost to itself. */
function flatTreePath(node: Node): readonly Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at; at = flatTreeParent(at)) path.unshift(at);
  return path;
}

function flatTreeParent(node: Node): Node | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}
