import { movePopover } from '../../../dom/popover.js';

/** Room to the edges of what can be seen, in px. */
const MARGIN = 8;
/** Least height that is worth standing above, in px. */
const LEAST = 120;

/** Puts a box that stands above everything else over another one, or below it where there is more room; never out of sight. */
export function placeAbove(box: HTMLElement, anchor: Element | null | undefined): void {
  if (!anchor) return;
  const { left, width, top, bottom } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  // What a keyboard covers is not in sight.
  const { offsetTop = 0, height = clientHeight } = window.visualViewport ?? {};
  const above = top - offsetTop - 2 * MARGIN;
  const below = offsetTop + height - bottom - 2 * MARGIN;
  const isAbove = above >= LEAST || above >= below;
  const shown = Math.min(width, clientWidth - 2 * MARGIN);
  const { style } = box;
  style.width = `${shown}px`;
  style.maxHeight = `${Math.max(LEAST / 2, Math.min(isAbove ? above : below, 320))}px`;
  const { height: own } = box.getBoundingClientRect();
  movePopover(
    box,
    Math.max(MARGIN, Math.min(left, clientWidth - shown - MARGIN)),
    isAbove ? Math.max(MARGIN, top - own - 4) : bottom + 4,
  );
}
