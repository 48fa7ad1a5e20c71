import type { StreamController } from '../../controller/controller-types.js';
import { loadingThreadOf, threadOpenings } from '../../controller/threads/thread-openings.js';
import type { Thread } from '../../model/thread.js';

/**
 * The conversation to which the user adds a file or a text: the one that is shown or loading when this object is created, whichever is shown
 * later. A new conversation becomes a thread with its first message, file or linked document.
 */
export class ConversationTarget {
  readonly controller: StreamController;
  /** Resolves when the thread that is loading is shown, or is known not to be; null when none is loading. */
  readonly loaded: Promise<void> | null;
  /** The service's id of the thread that was loading; null when there was none, or its id is not known. */
  readonly loadingId: string | null;
  readonly #stop: () => void;
  #thread: Thread | null | undefined;

  constructor(controller: StreamController) {
    this.controller = controller;
    const loading = loadingThreadOf(controller);
    this.loadingId = (loading && threadOpenings.get(controller)?.()?.id) ?? null;
    this.#thread = loading ? undefined : controller.thread;
    this.loaded = loading?.then((thread) => void (this.#thread = thread)) ?? null;
    this.#stop = controller.onNotice(this.#findCreated);
  }

  /**
   * The thread; null while the conversation has none. Undefined while the thread is loading, and when it has failed to load or another one was
   * opened meanwhile.
   */
  get thread(): Thread | null | undefined {
    return this.#thread;
  }

  /** Stops observing the controller. From then on, a new conversation that becomes a thread is not recognized. */
  dispose(): void {
    this.#stop();
  }

  /** A shown thread without an id is the one that a new conversation has become. Any other thread was opened in its place. */
  readonly #findCreated = (): void => {
    const { thread } = this.controller;
    if (thread?.id === null && this.#thread === null) this.#thread = thread;
  };
}
