import type { StreamController } from '../../controller/controller-types.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { ViewActions } from '../../message/part-view.js';
import { visiblePath } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { TranscriptView, type TranscriptHost } from '../transcript/transcript-view.js';
import type { ElementContext } from '../base/view-context.js';
import { diffRowsOf, markDifferences, type DiffRow } from './diff-rows.js';

/** Side of a compared branch. */
export type Side = 'left' | 'right';

/** A branch to compare. */
interface ComparedBranch {
  readonly name: string;
  /** The last message of the branch. */
  readonly head: Key | null;
  /** The first message that is not in the other branch. */
  readonly start: Key;
}

/** Two branches side by side, with their differences marked. */
export class BranchComparison {
  readonly #host: ConnectedHost;
  readonly #onCountChange: () => void;
  readonly #views: Partial<Record<Side, BranchView>> = {};
  #differences: number | undefined;
  #isExact = true;
  #hasChanged = true;

  /** `onCountChange` is called when the number of differences has changed. */
  constructor(host: ConnectedHost, onCountChange: () => void) {
    this.#host = host;
    this.#onCountChange = onCountChange;
  }

  /** Shows a branch on one side; null removes it. */
  setBranch(side: Side, branch: ComparedBranch | null): void {
    const { context, controller } = this.#host;
    this.#views[side]?.dispose();
    if (controller && branch) this.#views[side] = new BranchView(context, controller, branch);
    else delete this.#views[side];
  }

  /** The transcript on one side. */
  nodeOf(side: Side): HTMLElement | undefined {
    return this.#views[side]?.node;
  }

  /** Applies a change of the thread. The next `compareIfChanged` compares again. */
  apply(change: Change): void {
    for (const view of Object.values(this.#views)) view.apply(change);
    this.#hasChanged = true;
  }

  /** Marks the rows that only one side has. Returns the first marked row of each side. */
  compare(): readonly DiffRow[] {
    const { left, right } = this.#views;
    if (!left || !right) return [];
    this.#hasChanged = false;
    const label = this.#host.context.locale.text('compareOnly');
    const { isExact, count, first } = markDifferences(left.rows(), right.rows(), label);
    this.#isExact = isExact;
    if (count !== this.#differences) {
      this.#differences = count;
      this.#onCountChange();
    }
    return first;
  }

  /** Compares again if the thread has changed since. */
  compareIfChanged(): void {
    if (this.#hasChanged) this.compare();
  }

  /** The number of differences as a text; empty before the first comparison. */
  describe(): string {
    const { text } = this.#host.context.locale;
    const count = this.#differences;
    if (count === undefined) return '';
    if (count === 0) return text('compareIdentical');
    return `${text('compareDifferences', { count })}${this.#isExact ? '' : ` · ${text('compareInexact')}`}`;
  }

  /** Disposes both transcripts. */
  dispose(): void {
    for (const view of Object.values(this.#views)) view.dispose();
  }
}

/** A read-only transcript of one branch. */
class BranchView {
  readonly #transcript: TranscriptView;
  readonly #controller: StreamController;
  readonly #branch: ComparedBranch;

  constructor(context: ElementContext, controller: StreamController, branch: ComparedBranch) {
    this.#controller = controller;
    this.#branch = branch;
    // The dialog drives the life cycle of the view; the host element must not.
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
    this.#transcript.scroller.ariaLabel = branch.name;
    this.#transcript.head = branch.head;
    this.#transcript.show(controller);
  }

  get node(): HTMLElement {
    return this.#transcript.node;
  }

  apply(change: Change): void {
    this.#transcript.apply(change);
  }

  /** The rows from the first message that is not in the other branch. */
  rows(): DiffRow[] {
    const { thread } = this.#controller;
    if (!thread) return [];
    const path = visiblePath(thread, this.#branch.head);
    const start = path.findIndex(({ key }) => key === this.#branch.start);
    return path.slice(Math.max(0, start)).flatMap(({ key }) => {
      const view = this.#transcript.viewOf(key);
      return view ? diffRowsOf(view) : [];
    });
  }

  /** Disposes the views of the messages. */
  dispose(): void {
    this.#transcript.hostDisconnected();
    this.#transcript.dispose();
  }
}

/** The context without the actions that change the thread. */
function withoutActions(context: ElementContext): ElementContext {
  const { actions } = context;
  const readOnly: ViewActions = {
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
  return Object.create(context, { actions: { value: readOnly } }) as ElementContext;
}
