/** The function that unsubscribes a listener, with the listener. Weak, because the views of a removed element are not disposed. */
type Subscription = WeakRef<(() => void) & { readonly notify: () => void }>;

const subscriptions = new Set<Subscription>();
let printing = false;

/** Whether the page is being printed. */
export function isPrinting(): boolean {
  return printing;
}

/** Calls the listener before and after the page is printed. Returns the unsubscribe function, without which the listener is not retained. */
export function onPrintChange(notify: () => void): () => void {
  if (subscriptions.size === 0) observePrint(true);
  const stop = (): void => {
    remove(subscription);
  };
  const subscription: Subscription = new WeakRef(Object.assign(stop, { notify }));
  subscriptions.add(subscription);
  return stop;
}

function remove(subscription: Subscription): void {
  subscriptions.delete(subscription);
  if (subscriptions.size === 0) observePrint(false);
}

/** Adds or removes one listener for all views, because a thread may have thousands. */
function observePrint(isOn: boolean): void {
  // Without listeners, the end of printing is not observed.
  printing = false;
  const method = isOn ? 'addEventListener' : 'removeEventListener';
  for (const type of ['beforeprint', 'afterprint']) window[method](type, handlePrintEvent);
}

function handlePrintEvent({ type }: Event): void {
  printing = type === 'beforeprint';
  // Listeners that are added during this loop are called, too: views that are rendered for printing are notified.
  for (const subscription of subscriptions) {
    const stop = subscription.deref();
    if (stop) stop.notify();
    else remove(subscription);
  }
}
