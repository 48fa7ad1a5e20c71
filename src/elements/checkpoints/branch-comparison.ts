import type { StreamController } from '../../controller/controller-types.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { ViewActions } from '../../message/part-view.js';
import { shownBranch } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { TranscriptView, type TranscriptHost } from '../transcript/transcript-view.js';
import type { ElementContext } from '../base/view-context.js';
import { compareRows } from '../../controller/checkpoints/compare-rows.js';
import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import type { MessageView } from '../../message/message-view.js';
import { textWithCitations } from '../../message/citation.js';
import { comparisonOf } from '../../message/message-formats.js';

/** The side on which a compared branch is shown. */
export type ComparisonSide = 'left' | 'right';

/** A branch in the comparison. */
interface ComparedBranch {
  readonly name: string;
  /** The last message of the branch. */
  readonly head: Key;
  /** The first message that is not in the other branch. */
  readonly start: Key;
}

/** Two branches side by side, with their differences marked. */
export class BranchComparison {
  readonly #host: ConnectedHost;
  readonly #onCompare: () => void;
  readonly #views: Partial<Record<ComparisonSide, BranchView>> = {};
  #differences: Differences | undefined;
  /** Number of rows of the last comparison. */
  #rowCount = 0;
  /** Whether the branches may differ from those of the last comparison. */
  #hasChanged = true;

  /** `onCompare` is called after each comparison. */
  constructor(host: ConnectedHost, onCompare: () => void) {
    this.#host = host;
    this.#onCompare = onCompare;
  }

  /** Shows a branch on one side; null removes it. */
  setBranch(side: ComparisonSide, branch: ComparedBranch | null): void {
    const { context, controller } = this.#host;
    this.#views[side]?.dispose();
    if (controller && branch) this.#views[side] = new BranchView(context, controller, branch);
    else delete this.#views[side];
  }

  /** Returns the transcript on one side. */
  nodeOf(side: ComparisonSide): HTMLElement | undefined {
    return this.#views[side]?.node;
  }

  /** Applies a change of the thread. The next `compareIfChanged` compares again. */
  apply(change: Change): void {
    for (const view of Object.values(this.#views)) view.apply(change);
    this.#hasChanged = true;
  }

  /** Marks the rows that only one side has, and scrolls each side to its first one. */
  revealFirstDifference(): void {
    const first = this.#compare();
    for (const view of Object.values(this.#views)) view.reveal(first);
  }

  /** Marks the rows that only one side has. Returns the first marked row of each side. */
  #compare(): readonly DiffRow[] {
    const { left, right } = this.#views;
    if (!left || !right) return [];
    const label = this.#host.context.locale.text('compareOnly');
    const [leftRows, rightRows] = [left.rows(), right.rows()];
    const rowCount = leftRows.length + rightRows.length;
    // A long text is rendered in several frames, so the branches are compared again until no row is added.
    this.#hasChanged = rowCount !== this.#rowCount;
    this.#rowCount = rowCount;
    this.#differences = markDifferences(leftRows, rightRows, label);
    this.#onCompare();
    return this.#differences.first;
  }

  /**
   * Compares again if the thread has changed since the last comparison, or if that comparison found another number of rows than the one before
   * it.
   */
  compareIfChanged(): void {
    if (this.#hasChanged) this.#compare();
  }

  /** Returns the number of differences as a text; empty before the first comparison. */
  describe(): string {
    const { text } = this.#host.context.locale;
    if (!this.#differences) return '';
    const { count, isExact } = this.#differences;
    if (count === 0) return text('compareIdentical');
    return `${text('compareDifferences', { count })}${isExact ? '' : ` · ${text('compareInexact')}`}`;
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
    // The dialog drives the life cycle of the view instead of the host element.
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

  /** Returns the rows from the first message that is not in the other branch. */
  rows(): DiffRow[] {
    const { thread } = this.#controller;
    if (!thread) return [];
    const path = shownBranch(thread, this.#branch.head);
    const start = path.findIndex(({ key }) => key === this.#branch.start);
    return path.slice(Math.max(0, start)).flatMap(({ key }) => {
      const view = this.#transcript.viewOf(key);
      return view ? diffRowsOf(view) : [];
    });
  }

  /** Scrolls to the row that is in this transcript, if any. */
  reveal(rows: readonly DiffRow[]): void {
    const row = rows.find(({ node }) => this.node.contains(node));
    if (row) this.#transcript.revealNode(row.node);
  }

  /** Disposes the views of the messages. */
  dispose(): void {
    this.#transcript.hostDisconnected();
    this.#transcript.dispose();
  }
}

/** Returns the context for a read-only transcript: with only the actions that read content, and with all steps listed. */
function withoutActions(context: ElementContext): ElementContext {
  const { actions } = context;
  const readOnly: ViewActions = {
    get findToolFiles() {
      return actions.findToolFiles;
    },
    get isInternalField() {
      return actions.isInternalField;
    },
    get loadToolFile() {
      return actions.loadToolFile;
    },
    get loadPassage() {
      return actions.loadPassage;
    },
  };
  // Collapsed steps would hide differences.
  const values = {
    actions: { value: readOnly },
    messageActions: { value: undefined },
    steps: { value: 'list' },
  };
  return Object.create(context, values) as ElementContext;
}

/** A row, the smallest unit of the comparison: the compared text and the element that is marked. */
interface DiffRow {
  readonly text: string;
  readonly node: Element;
}

/** Returns the rows of a message: a paragraph, a list item, a table row, or a part that is not a text. */
function diffRowsOf(view: MessageView): DiffRow[] {
  const { message } = view;
  return listParts(message, null).flatMap((part) => {
    const node = view.viewOf(part.key)?.node;
    return node ? rowsOfPart(part, node) : [];
  });
}

/** Result of a comparison. */
interface Differences {
  /** Number of ranges of rows that only one side has. */
  readonly count: number;
  /** Whether the comparison is exact; false when the texts are too long for that. */
  readonly isExact: boolean;
  /** The first marked row of each side. */
  readonly first: readonly DiffRow[];
}

/** Marks the rows that only one side has with `data-only`. The first row of a range gets `label` as the value. */
function markDifferences(
  left: readonly DiffRow[],
  right: readonly DiffRow[],
  label: string,
): Differences {
  const textOf = ({ text }: DiffRow): string => text;
  const found = compareRows(left.map(textOf), right.map(textOf));
  const starts = [...markSide(left, found.left, label), ...markSide(right, found.right, label)];
  const first = [left, right].flatMap((rows) => rows.find((row) => starts.includes(row)) ?? []);
  return { count: starts.length, isExact: found.exact, first };
}

/** Marks the rows with these indexes. Returns the first row of each range. */
function markSide(rows: readonly DiffRow[], only: ReadonlySet<number>, label: string): DiffRow[] {
  return rows.filter(({ node }, index) => {
    const isStart = only.has(index) && !only.has(index - 1);
    if (only.has(index)) node.setAttribute('data-only', isStart ? label : '');
    else node.removeAttribute('data-only');
    return isStart;
  });
}

function rowsOfPart(part: Part, node: Element): DiffRow[] {
  const compared = comparisonOf(part);
  if (compared === null) return [];
  if (compared === 'blocks') {
    const blocks = blocksOf(node);
    // A Markdown text without blocks is empty, or not rendered yet, and has no rows.
    if (blocks.length > 0 || node.matches('.text:not(.plain)')) {
      return blocks.map((block) => ({
        text: `${part.kind} ${comparableText(block)}`,
        node: block,
      }));
    }
  }
  // A text without Markdown is one row: that of a user, or one that a renderer of the host page shows.
  const values = compared === 'blocks' ? [textWithCitations(part, () => '')] : compared;
  const text = JSON.stringify([part.kind, ...values]);
  return [{ text, node: node.querySelector('.disclosure > summary') ?? node }];
}

/** Returns the text of a block, with formulas as TeX, without the numbers of citations, which depend on earlier citations. */
function comparableText(block: Element): string {
  const copy = block.cloneNode(true) as Element;
  for (const cite of copy.querySelectorAll('.cite')) cite.remove();
  for (const formula of copy.querySelectorAll('[data-tex]')) {
    formula.replaceWith(formula.getAttribute('data-tex') ?? '');
  }
  return copy.textContent;
}

/** Returns the elements of a text part that are compared: blocks, list items and table rows; none if it is not rendered as Markdown. */
function blocksOf(node: Element): Element[] {
  return [...node.querySelectorAll('.ubik-markdown > *')].flatMap((block) => {
    // The items of a long list are in groups with the class `ubik-items`.
    if (block.matches('ul, ol'))
      return [...block.querySelectorAll(':scope > li, :scope > .ubik-items > li')];
    const rows = [...block.querySelectorAll('tr')];
    return rows.length > 0 ? rows : [block];
  });
}

/** Lists the parts of a message in document order. */
function listParts(message: Message, parent: string | null): Part[] {
  return message.parts.children(parent).flatMap((key) => {
    const part = message.parts.get(key);
    return part ? [part, ...listParts(message, key)] : [];
  });
}
