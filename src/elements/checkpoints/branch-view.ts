import type { StreamController } from '../../controller/controller-types.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { ViewActions } from '../../message/part-view.js';
import { visiblePath } from '../../message/thread-selectors.js';
import { TranscriptView, type TranscriptHost } from '../views/transcript-view.js';
import type { ElementContext } from '../views/view-context.js';
import { diffRowsOf, type DiffRow } from './diff-rows.js';

/** Which way through the thread is shown, and where it parts from the other. */
export interface ComparedBranch {
  readonly name: string;
  /** The end of the way. */
  readonly head: Key | null;
  /** The message with which it parts from the other. */
  readonly start: Key;
}

/** One way through the thread, beside another: it can be read and not acted on. */
export class BranchView {
  readonly #transcript: TranscriptView;
  readonly #controller: StreamController;
  readonly #branch: ComparedBranch;

  constructor(context: ElementContext, controller: StreamController, way: ComparedBranch) {
    this.#controller = controller;
    this.#branch = way;
    // The dialog leads its life, not the element around.
    const host: TranscriptHost = {
      assistive: false,
      pinQuestion: false,
      addController: () => undefined,
      removeController: () => undefined,
      requestUpdate: () => undefined,
      updateComplete: Promise.resolve(true),
    };
    this.#transcript = new TranscriptView(host, withoutActions(context));
    this.#transcript.hostConnected();
    this.#transcript.hostUpdate();
    this.#transcript.scroller.ariaLabel = way.name;
    this.#transcript.head = way.head;
    this.#transcript.show(controller);
  }

  get node(): HTMLElement {
    return this.#transcript.node;
  }

  apply(change: Change): void {
    this.#transcript.apply(change);
  }

  /** What it shows from where the ways part. */
  rows(): DiffRow[] {
    const { thread } = this.#controller;
    if (!thread) return [];
    const path = visiblePath(thread, this.#branch.head);
    const from = path.findIndex(({ key }) => key === this.#branch.start);
    return path.slice(Math.max(0, from)).flatMap(({ key }) => {
      const view = this.#transcript.viewOf(key);
      return view ? diffRowsOf(view) : [];
    });
  }

  /** Gives back timers and subscriptions of what it shows. */
  dispose(): void {
    this.#transcript.hostDisconnected();
    this.#transcript.dispose();
  }
}

function withoutActions(context: ElementContext): ElementContext {
  const { actions } = context;
  const own: ViewActions = {
    get findToolFiles() {
      return actions.findToolFiles;
    },
    get loadToolFile() {
      return actions.loadToolFile;
    },
    get loadPassage() {
      return actions.loadPassage;
    },
  };
  return Object.create(context, { actions: { value: own } }) as ElementContext;
}
