const listeners = new Set<() => void>();
let printing = false;

/** Whether the page is being printed. */
export function isPrinting(): boolean {
  return printing;
}

/** Calls the listener before and after the page is printed, until the returned function is called. */
export function onPrintChange(listener: () => void): () => void {
  if (listeners.size === 0) observePrint(true);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) observePrint(false);
  };
}

/** One listener for all views, because a thread may have thousands. */
function observePrint(isOn: boolean): void {
  const method = isOn ? 'addEventListener' : 'removeEventListener';
  for (const type of ['beforeprint', 'afterprint']) window[method](type, handlePrintEvent);
}

function handlePrintEvent({ type }: Event): void {
  printing = type === 'beforeprint';
  // Listeners added during this loop are called too: views rendered for printing must know it.
  for (const listener of listeners) listener();
}
