/**
 * Focuses the newest message below `root`, from which the user can continue reading, or the list of messages while it is empty. Returns false
 * if there is no list.
 */
export function focusMessages(root: ParentNode): boolean {
  const list = root.querySelector<HTMLElement>('.scroller');
  const newest = [...(list?.querySelectorAll<HTMLElement>('.message') ?? [])].at(-1);
  if (newest) newest.tabIndex = -1;
  (newest ?? list)?.focus({ preventScroll: true });
  return list !== null;
}
