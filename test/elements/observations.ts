import type { StreamController } from '../../src/controller/controller-types.js';

/** Listeners and subscriptions that are still active, each as a text: `window resize`, `subscription …`, `notices` or `retained`. */
interface Observations {
  /** Returns the active ones, sorted. */
  list(): string[];
  /** Ends the recording of listeners. Subscriptions to controllers continue to be recorded. */
  restore(): void;
}

type Options = boolean | AddEventListenerOptions | undefined;

/** Records the listeners of these targets, by name, except those added with `once`, and the subscriptions to these controllers. */
export function recordObservations(
  targets: Readonly<Record<string, EventTarget | null>>,
  controllers: readonly StreamController[] = [],
): Observations {
  const active = new Set<{ readonly label: string }>();
  const restores: (() => void)[] = [];
  for (const [name, target] of Object.entries(targets)) {
    if (target) restores.push(recordListeners(name, target, active));
  }
  for (const controller of controllers) recordSubscriptions(controller, active);
  return {
    list: () => [...active].map(({ label }) => label).sort(),
    restore: () => {
      for (const restore of restores) restore();
    },
  };
}

function recordListeners(
  name: string,
  target: EventTarget,
  active: Set<{ readonly label: string }>,
): () => void {
  const known: { label: string; listener: unknown; isCapture: boolean }[] = [];
  const isCapture = (options: Options): boolean =>
    typeof options === 'object' ? options.capture === true : options === true;
  const remove = (label: string, listener: unknown, options: Options): void => {
    const at = known.findIndex(
      (one) =>
        one.label === label && one.listener === listener && one.isCapture === isCapture(options),
    );
    const [found] = at < 0 ? [] : known.splice(at, 1);
    if (found) active.delete(found);
  };
  const add: EventTarget['addEventListener'] = (type, listener, options) => {
    EventTarget.prototype.addEventListener.call(target, type, listener, options);
    const signal = typeof options === 'object' ? options.signal : undefined;
    if (signal?.aborted || (typeof options === 'object' && options.once)) return;
    const label = `${name} ${type}`;
    // A listener that is added twice is active once.
    remove(label, listener, options);
    const entry = { label, listener, isCapture: isCapture(options) };
    known.push(entry);
    active.add(entry);
    signal?.addEventListener('abort', () => {
      remove(label, listener, options);
    });
  };
  target.addEventListener = add;
  target.removeEventListener = (type, listener, options) => {
    EventTarget.prototype.removeEventListener.call(target, type, listener, options);
    remove(`${name} ${type}`, listener, options);
  };
  return () => {
    Reflect.deleteProperty(target, 'addEventListener');
    Reflect.deleteProperty(target, 'removeEventListener');
  };
}

function recordSubscriptions(
  controller: StreamController,
  active: Set<{ readonly label: string }>,
): void {
  const record = <Args extends unknown[]>(
    describe: (...args: Args) => string,
    subscribe: (...args: Args) => () => void,
  ) => {
    return (...args: Args): (() => void) => {
      const entry = { label: describe(...args) };
      active.add(entry);
      const end = subscribe(...args);
      return () => {
        active.delete(entry);
        end();
      };
    };
  };
  Object.assign(controller, {
    subscribe: record<Parameters<StreamController['subscribe']>>(
      (topic) => `subscription ${JSON.stringify(topic)}`,
      controller.subscribe.bind(controller),
    ),
    onNotice: record<Parameters<StreamController['onNotice']>>(
      () => 'notices',
      controller.onNotice.bind(controller),
    ),
    retain: record<[]>(() => 'retained', controller.retain.bind(controller)),
  });
}
