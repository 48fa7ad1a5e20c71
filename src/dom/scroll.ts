/** Scrolls a box so that the upper edge of a node in it is in the middle. Unlike `scrollIntoView`, does not scroll the host page. */
export function scrollToCenter(scroller: Element, node: Element): void {
  const { top } = scroller.getBoundingClientRect();
  scroller.scrollTop += node.getBoundingClientRect().top - top - scroller.clientHeight / 2;
}
