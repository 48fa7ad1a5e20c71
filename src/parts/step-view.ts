import type { PartOf } from '../model/part.js';
import { FoldView, timeOf, type FoldLook } from './fold-view.js';
import type { MessageScope } from './part-view.js';
import { lastKey } from './thread-path.js';

const WORDS = {
  running: 'stepRunning',
  completed: 'stepDone',
  'open-ended': 'stepOpen',
} as const;

/**
 * One step: a line with its state, number, title, status and time; open while it runs, folded when it is done. Also stands for a
 * step of which only events have told.
 */
export class StepView extends FoldView<'step' | 'step-activity'> {
  constructor(part: PartOf<'step' | 'step-activity'>, scope: MessageScope) {
    super(part, scope, 'step');
    this.draw();
  }

  protected override look(): FoldLook {
    const { part, scope, text } = this;
    const { locale } = this.context;
    const { number } = part;
    const activity = this.activity('step-activity');
    // A step that the service never closed is running only as long as its message is.
    const state = part.state === 'running' && !scope.live ? 'open-ended' : part.state;
    const runs = state === 'running';
    const progress = runs ? activity?.progress : null;
    const single = part.kind === 'step' && part.single;
    this.node.classList.toggle('single', single);
    return {
      state,
      words: {
        number: number === null ? '' : text('stepNumber', { number }),
        title: part.title || (activity?.title ?? ''),
        hidden: text(WORDS[state]),
        status: (runs && activity?.status) || '',
      },
      meta: [progress == null ? '' : locale.percent(progress), timeOf(activity, locale)],
      open: single || runs || this.#saysTheAnswer(),
    };
  }

  /** Whether the last thing said in the message is text of this step: that is never folded away. */
  #saysTheAnswer(): boolean {
    const { parts } = this.scope.message;
    const last = parts.children(this.part.key).at(-1);
    return lastKey(parts) === this.part.key && parts.get(last ?? '')?.kind === 'text';
  }
}
