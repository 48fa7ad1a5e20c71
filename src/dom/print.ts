const listeners = new Set<() => void>();
let printing = false;

/** Whether the page is being printed. */
export function isPrinting(): boolean {
  return printing;
}

/** Calls the listener before and after the page is printed. Returns the unsubscribe function. */
export function onPrintChange(listener: () => void): () => void {
  if (listeners.size === 0) observePrint(true);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) observePrint(false);
  };
}

/** Adds or removes one listener for all views, because a thread may have thousands. */
function observePrint(isOn: boolean): void {
  const method = isOn ? 'addEventListener' : 'removeEventListener';
  for (const type of ['beforeprint', 'afterprint']) window[method](type, handlePrintEvent);
}

function handlePrintEvent({ type }: Event): void {
  printing = type === 'beforeprint';
  // Listeners that are added during this loop are called, too: views that are rendered for printing are notified.
  for (const listener of listeners) listener();
}
