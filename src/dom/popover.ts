/**
 * A box above everything else that opens and closes by code alone: a manual popover. Firefox before 125 has none: there it is a box
 * that is fixed inside the element, whose layout it cannot leave.
 */
const isSupported = (node: Partial<HTMLElement>): boolean => node.togglePopover !== undefined;

/** Makes a box a popover, which is closed at first. */
export function makePopover(node: HTMLElement): void {
  if (isSupported(node)) {
    node.popover = 'manual';
    return;
  }
  node.hidden = true;
  node.style.zIndex = '1';
}

/** Opens or closes a popover. One that is not in the page cannot be opened. */
export function togglePopover(node: HTMLElement, isOpen: boolean): void {
  if (isSupported(node)) node.togglePopover(isOpen);
  else node.hidden = !isOpen;
}

/** Whether a popover is open. */
export function isPopoverOpen(node: HTMLElement): boolean {
  return isSupported(node) ? node.matches(':popover-open') : !node.hidden;
}

/** Moves an open popover to a place in the window, in px. */
export function movePopover(node: HTMLElement, left: number, top: number): void {
  const { style } = node;
  style.left = `${left}px`;
  style.top = `${top}px`;
  if (isSupported(node)) return;
  // Containment makes the element the box that "fixed" counts from.
  const at = node.getBoundingClientRect();
  style.left = `${2 * left - at.left}px`;
  style.top = `${2 * top - at.top}px`;
}
