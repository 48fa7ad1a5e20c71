import { nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import {
  DisclosureView,
  contentText,
  formatElapsed,
  type DisclosureSummary,
} from './disclosure.js';
import type { MessageScope } from '../part-view.js';
import { memoizeLast } from './base-part-view.js';
import { createDataDisclosure } from '../json-view.js';
import { lastPartKey } from '../thread-selectors.js';

const WORDS = {
  running: 'stepRunning',
  completed: 'stepDone',
  'open-ended': 'stepIncomplete',
  failed: 'stepFailed',
} as const;

/**
 * One step: a line with its state, number, title, status and time; open while it runs, folded when it is done. Also stands for a
 * step of which only events have told.
 */
export class StepView extends DisclosureView<'step' | 'step-activity'> {
  readonly #results = element('div', 'results');
  readonly #report = memoizeLast(
    (data: Json) => createDataDisclosure(this.text('reportData'), data, this.context.locale),
    (): Locale => this.context.locale,
  );

  constructor(part: PartOf<'step' | 'step-activity'>, scope: MessageScope) {
    super(part, scope, 'step');
    this.content.after(this.#results);
    this.renderNow();
    // What is inside comes after it.
    this.scheduleRender();
  }

  protected override summarize(): DisclosureSummary {
    const { part, scope, text } = this;
    const { locale } = this.context;
    const { number } = part;
    const activity = this.findActivity('step-activity');
    // A step that the service never closed is running only as long as its message is.
    const isOpen = part.state === 'open-ended' || (part.state === 'running' && !scope.live);
    const state = !isOpen ? part.state : this.#hasFailed() ? 'failed' : 'open-ended';
    const runs = state === 'running';
    const progress = runs ? activity?.progress : null;
    const single = part.kind === 'step' && part.single;
    this.node.classList.toggle('single', single);
    return {
      state,
      texts: {
        number: number === null ? '' : text('stepNumber', { number }),
        title: contentText(part.title || (activity?.title ?? ''), locale),
        hidden: text(WORDS[state]),
        status: contentText((runs && activity?.status) || '', locale),
      },
      meta: [progress == null ? '' : locale.percent(progress), formatElapsed(activity, locale)],
      open: single || runs || this.#saysTheAnswer() || this.#showsMedia(),
    };
  }

  protected override render(): void {
    super.render();
    const results = this.findActivity('step-activity')?.results ?? null;
    render(results === null ? nothing : this.#report(results), this.#results);
  }

  /** Whether an end by an error cut it off: the last step that was begun is the one. */
  #hasFailed(): boolean {
    const { part, scope } = this;
    const { parts, status } = scope.message;
    const end = parts.get(parts.children(null).at(-1) ?? '');
    if (status !== 'failed' && end?.kind !== 'error') return false;
    const beside = parts.children(part.parent).filter((key) => parts.get(key)?.kind === part.kind);
    return beside.at(-1) === part.key;
  }

  /** Whether a tool in it has made a picture or a file. */
  #showsMedia(): boolean {
    return this.content.querySelector('.media > *') !== null;
  }

  /** Whether the last thing said in the message is text of this step: that is never folded away. */
  #saysTheAnswer(): boolean {
    const { parts } = this.scope.message;
    const last = parts.children(this.part.key).at(-1);
    return lastPartKey(parts) === this.part.key && parts.get(last ?? '')?.kind === 'text';
  }
}
