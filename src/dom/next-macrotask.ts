const listeners = new Set<() => void>();
let observer: MutationObserver | undefined;

/** Calls back when a part of the page is given another language or direction, until the returned function is called. */
export function onPageTurn(listener: () => void): () => void {
  listeners.add(listener);
  observer ??= watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    observer?.disconnect();
    observer = undefined;
  };
}

/** One for all elements: a page may have hundreds. */
function watch(): MutationObserver {
  const made = new MutationObserver(() => {
    for (const listener of listeners) listener();
  });
  made.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
  return made;
}
