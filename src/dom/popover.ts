/**
 * Whether the browser supports popovers. Firefox before 125 does not; there a box with `position: fixed` is used, which
 * stays inside the containment of the element.
 */
const isSupported = (node: Partial<HTMLElement>): boolean => node.togglePopover !== undefined;

/** Turns an element into a closed popover that only code opens and closes (`popover=manual`). */
export function makePopover(node: HTMLElement): void {
  if (isSupported(node)) {
    node.popover = 'manual';
    return;
  }
  node.hidden = true;
  node.style.zIndex = '1';
}

/** Opens or closes a popover, which must be connected. */
export function togglePopover(node: HTMLElement, isOpen: boolean): void {
  if (isSupported(node)) node.togglePopover(isOpen);
  else node.hidden = !isOpen;
}

/** Whether a popover is open. */
export function isPopoverOpen(node: HTMLElement): boolean {
  return isSupported(node) ? node.matches(':popover-open') : !node.hidden;
}

/** Moves an open popover to a position in the viewport, in px. */
export function movePopover(node: HTMLElement, left: number, top: number): void {
  const { style } = node;
  style.left = `${left}px`;
  style.top = `${top}px`;
  if (isSupported(node)) return;
  // CSS containment makes the element the containing block of fixed boxes, so correct the position by the measured difference.
  const box = node.getBoundingClientRect();
  style.left = `${2 * left - box.left}px`;
  style.top = `${2 * top - box.top}px`;
}
