import type { UbikChat } from '../ubik-chat.js';

/** Brings a row into the middle of its box. Only the box itself is scrolled, never the page around it. */
export function scrollToCenter(scroller: HTMLElement, row: HTMLElement): void {
  const { top } = scroller.getBoundingClientRect();
  scroller.scrollTop += row.getBoundingClientRect().top - top - scroller.clientHeight / 2;
}

/** Those of a list that can be seen in its box. All rows are of one height. */
export function visibleItems<Item>(
  { scrollTop, clientHeight, scrollHeight }: HTMLElement,
  items: readonly Item[],
): readonly Item[] {
  const height = scrollHeight / items.length;
  return items.slice(
    Math.floor(scrollTop / height),
    Math.ceil((scrollTop + clientHeight) / height),
  );
}

/** The chat around leads to a message. */
export function revealInChat(element: Element, id: string | null): void {
  if (id !== null) element.closest<UbikChat>('ubik-chat')?.showMessage(id);
}
