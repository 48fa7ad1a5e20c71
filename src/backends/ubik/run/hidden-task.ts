import type { Change } from '../../../model/change.js';
import { differenceOf } from '../lanes/difference.js';
import { ModelMirror } from '../lanes/model-mirror.js';
import type { TaskFold } from '../lanes/task-fold.js';

/** How much there is to see. */
export interface ShownSize {
  readonly text: number;
  readonly parts: number;
  readonly fullContents: number;
}

/** How much a fold has made. */
export function sizeOf({ fold }: TaskFold): ShownSize {
  const { textLength: text, size: parts } = fold.outline;
  return { text, parts, fullContents: fold.run.fullContents };
}

/** A task that is put together out of sight, until it can take the place of what is shown. */
export class HiddenTask {
  readonly task: TaskFold;
  readonly #mirror: ModelMirror;
  readonly #shown: ShownSize;

  /** `shown`: what it must not fall short of. */
  constructor(task: TaskFold, shown: ShownSize) {
    this.task = task;
    this.#shown = shown;
    this.#mirror = new ModelMirror(task.fold.message, null);
  }

  /**
   * Whether it has caught up: it has come to the end; or it is at least as much as what is shown; or it knows a full content that
   * the other does not, and may be shorter for it.
   */
  isCaughtUp(): boolean {
    const { run } = this.task.fold;
    const size = sizeOf(this.task);
    if (run.ended || size.fullContents > this.#shown.fullContents) return true;
    return size.text >= this.#shown.text && size.parts >= this.#shown.parts;
  }

  /** Takes in what its task has done since. */
  advance(): void {
    this.#mirror.take(this.task.rebuild());
  }

  /** The changes that put it in the place of what is shown; without that, in the place of whatever is there. */
  reveal(shown: TaskFold | null): Change[] {
    this.advance();
    const before = shown?.mirror() ?? new ModelMirror(this.task.fold.message, null);
    return differenceOf(before, this.#mirror) ?? [];
  }
}
