import { movePopover } from '../../dom/popover.js';

/** Puts a box that is above everything else below another, or above it where it does not fit and there is more room, and always within what can be seen. */
export function placeBelow(node: HTMLElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = node.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isTurned = node.matches(':dir(rtl)');
  const left = isTurned ? at.right - width : at.left;
  const room = clientHeight - at.bottom;
  const isBelow = height + 12 <= room || room >= at.top;
  const top = isBelow ? at.bottom + 4 : at.top - height - 4;
  movePopover(
    node,
    Math.max(8, Math.min(left, clientWidth - width - 8)),
    Math.max(8, Math.min(top, clientHeight - height - 8)),
  );
}
