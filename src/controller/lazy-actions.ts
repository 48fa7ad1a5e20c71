/** Actions whose code is loaded with their first call, because sending a message and showing the answer do not need it. */
import { UbikError } from '../errors.js';
import type { ControllerContext } from './controller-context.js';
import { toUbikError } from './run/classify-error.js';

/** The actions of a module that is loaded on demand. Once it is loaded, they are called synchronously. */
class LazyActions<M extends object> {
  readonly #importActions: () => Promise<M>;
  /** The module, once loaded. */
  value: M | undefined;

  constructor(importActions: () => Promise<M>) {
    this.#importActions = importActions;
  }

  /** Loads the module. Rejects with `load-failed`; then the next call tries again. */
  async load(): Promise<M> {
    try {
      return (this.value ??= await this.#importActions());
    } catch (cause) {
      throw new UbikError('load-failed', { cause });
    }
  }

  /** Returns an action that loads the module first. It rejects with `aborted` when the current thread was replaced meanwhile. */
  bind(name: keyof M) {
    return async (context: ControllerContext, ...args: unknown[]): Promise<unknown> => {
      let thread = context.currentThread;
      let loaded = this.value;
      if (!loaded) {
        const { latestOpening: opening, notifier } = context;
        // While there is no thread, the action belongs to the one that is being loaded, or that is created meanwhile.
        const stop = notifier.subscribe('notices', () => {
          const { currentThread, latestOpening } = context;
          const id = currentThread?.id;
          if (id === null || latestOpening === opening || (id && id === opening?.id))
            thread ??= currentThread;
        });
        loaded = await this.load().finally(stop);
      }
      // An action of a thread is not performed in the thread that has replaced it.
      if (context.closed || context.currentThread !== thread) throw new UbikError('aborted');
      return (loaded[name] as (...all: unknown[]) => Promise<unknown>)(context, ...args);
    };
  }

  /** Calls `use` with the module, unless the controller is closed before it is loaded. A failure to load it is a diagnostic. */
  async use(context: ControllerContext, use: (actions: M) => unknown): Promise<void> {
    try {
      if (!this.value) await this.load();
    } catch (error) {
      context.diagnose(toUbikError(error));
    }
    if (this.value && !context.closed) await use(this.value);
  }
}

/** Listing and restoring checkpoints. */
export const checkpointActions = new LazyActions(
  () => import('./checkpoints/checkpoint-actions.js'),
);
/** The documents of a thread. */
export const documentActions = new LazyActions(() => import('./documents/document-actions.js'));
/** Messages that are sent after the current run. */
export const queueActions = new LazyActions(() => import('./messages/message-queue.js'));
/** Opening, switching and updating stored threads, and versions of their messages. */
export const storedThreads = new LazyActions(() => import('./threads/stored-threads.js'));
