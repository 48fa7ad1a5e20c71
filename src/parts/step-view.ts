import { html, nothing, type TemplateResult } from 'lit';
import type { PartOf } from '../model/part.js';
import { FoldView } from './chrome-view.js';
import { renderIcon } from './icons.js';
import type { MessageScope } from './part-view.js';

/** One step: a line with its state, number, title, status and time; open while it runs, folded when it is done. */
export class StepView extends FoldView<'step'> {
  constructor(part: PartOf<'step'>, scope: MessageScope) {
    super(part, scope, 'step');
    this.node.part.add('step');
    this.draw();
  }

  protected override template(): TemplateResult {
    const { locale } = this.scope.context;
    const { number, title } = this.part;
    const activity = this.scope.activityOf(this.part, 'step-activity');
    const state = this.#state();
    const status = state === 'running' ? (activity?.status ?? '') : '';
    const progress = state === 'running' ? (activity?.progress ?? null) : null;
    const time =
      activity?.startedAt != null && activity.endedAt != null
        ? locale.duration(activity.endedAt - activity.startedAt)
        : '';
    const words = {
      running: 'stepRunning',
      completed: 'stepDone',
      'open-ended': 'stepOpen',
    } as const;
    return html`<span class="glyph"
        >${renderIcon(state === 'completed' ? 'check' : state === 'running' ? 'dot' : 'ring')}</span
      >
      <span class="line">
        ${
          number === null
            ? nothing
            : html`<bdi class="number">${locale.text('stepNumber', { number })}</bdi>`
        }
        <bdi class="title">${title || activity?.title}</bdi>
        <span class="hidden">${locale.text(words[state])}</span>
        ${status ? html`<bdi class="status">${status}</bdi>` : nothing}
      </span>
      ${progress === null ? nothing : html`<bdi class="meta">${locale.percent(progress)}</bdi>`}
      ${time ? html`<bdi class="meta">${time}</bdi>` : nothing} ${renderIcon('chevron')}`;
  }

  protected override drawn(): void {
    const state = this.#state();
    const { single } = this.part;
    this.node.dataset['state'] = state;
    this.node.classList.toggle('single', single);
    this.fold(single || state === 'running' || this.#saysTheAnswer());
  }

  /** A step that the service never closed is running only as long as its message is. */
  #state(): PartOf<'step'>['state'] {
    const { state } = this.part;
    return state === 'running' && !this.scope.live ? 'open-ended' : state;
  }

  /** Whether the last thing said in the message is text of this step: that is never folded away. */
  #saysTheAnswer(): boolean {
    const { parts } = this.scope.message;
    const last = parts.children(this.part.key).at(-1);
    return this.scope.isLast(this.part) && last !== undefined && parts.get(last)?.kind === 'text';
  }
}
