const listeners = new Set<() => void>();
let printing = false;

/** Whether the page is being put on paper at this moment. */
export function isPrinting(): boolean {
  return printing;
}

/** Calls back when the page is about to be printed, and when it has been, until the returned function is called. */
export function onPrintChange(listener: () => void): () => void {
  if (listeners.size === 0) watch(true);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) watch(false);
  };
}

/** One for all views: a thread may have thousands. */
function watch(starts: boolean): void {
  const act = starts ? 'addEventListener' : 'removeEventListener';
  for (const type of ['beforeprint', 'afterprint']) window[act](type, handlePrintEvent);
}

function handlePrintEvent({ type }: Event): void {
  printing = type === 'beforeprint';
  // One that a listener adds is called too: paper needs what was made for it.
  for (const listener of listeners) listener();
}
