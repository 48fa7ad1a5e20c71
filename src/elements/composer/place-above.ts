import { movePopover } from '../../dom/popover.js';

/** Distance to the edges of the visual viewport, in px. */
const MARGIN = 8;
/** Space above the anchor, in px, with which the popover is placed there even when there is more below. */
const MIN_HEIGHT = 120;

/** Places a popover above its anchor, or below it where there is more space. It stays within the visual viewport. */
export function placeAbove(box: HTMLElement, anchor: Element | null | undefined): void {
  if (!anchor) return;
  const { left, width, top, bottom } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  // A virtual keyboard reduces the visual viewport only.
  const { offsetTop = 0, height = clientHeight } = window.visualViewport ?? {};
  const above = top - offsetTop - 2 * MARGIN;
  const below = offsetTop + height - bottom - 2 * MARGIN;
  const isAbove = above >= MIN_HEIGHT || above >= below;
  const fitted = Math.min(width, clientWidth - 2 * MARGIN);
  const { style } = box;
  style.width = `${fitted}px`;
  style.maxHeight = `${Math.max(MIN_HEIGHT / 2, Math.min(isAbove ? above : below, 320))}px`;
  const { height: boxHeight } = box.getBoundingClientRect();
  movePopover(
    box,
    Math.max(MARGIN, Math.min(left, clientWidth - fitted - MARGIN)),
    isAbove ? Math.max(MARGIN, top - boxHeight - 4) : bottom + 4,
  );
}
