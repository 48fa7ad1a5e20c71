import { nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { UbikError } from '../../errors.js';
import type { Json } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Part, PartOf, ToolState } from '../../model/part.js';
import { createLazyModule } from '../create-lazy-module.js';
import type { MessageScope } from '../part-view.js';
import { endsWithTextIn } from '../part-selectors.js';
import { memoizeElement } from './base-part-view.js';
import {
  contentText,
  DisclosureView,
  formatWorkTime,
  type DisclosureSummary,
} from './disclosure.js';

/** The chunk that renders the results of steps. Loaded with the first step that has some. */
const lazyJsonView = createLazyModule(() => import('../json-view.js'));

/** The strings for the states of a step. */
export const STEP_STATE_STRINGS = {
  running: 'stepRunning',
  completed: 'stepDone',
  'open-ended': 'stepIncomplete',
  failed: 'stepFailed',
} as const;

/**
 * Returns the state in which a step is shown. A running step is shown as running only while its message is live. Otherwise, a step that is not
 * completed has failed if it is the last step of its level and the message has failed or ends with an error; else it is `open-ended`.
 */
export function resolveStepState(
  part: PartOf<'step' | 'step-activity'>,
  message: Message,
  isLive: boolean,
): keyof typeof STEP_STATE_STRINGS {
  if (part.state === 'completed' || (part.state === 'running' && isLive)) return part.state;
  const { parts, status } = message;
  const end = parts.get(parts.children(null).at(-1) ?? '');
  const hasFailed = status === 'failed' || end?.kind === 'error';
  const steps = parts.children(part.parent).filter((key) => parts.get(key)?.kind === part.kind);
  return hasFailed && steps.at(-1) === part.key ? 'failed' : 'open-ended';
}

/**
 * Renders a step: a disclosure whose summary has its state, number, title, status and time. By default, it is open while the step is running,
 * contains the answer, or shows files or what the host page renders. Also renders the activity of a step without a content part.
 */
export class StepView extends DisclosureView<'step' | 'step-activity'> {
  readonly #resultsContainer = element('div', 'results');
  /** Creates the view of the results; undefined until its chunk is loaded. */
  #createResults: ((results: Json) => HTMLElement) | undefined;
  #isLoading = false;

  constructor(part: PartOf<'step' | 'step-activity'>, scope: MessageScope) {
    super(part, scope, 'step');
    this.content.after(this.#resultsContainer);
    this.renderNow();
    // Whether the step is open depends on the views of its child parts, which are created later.
    this.scheduleRender();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    // The summary depends on the views of the child parts, which render in the same frame, so it must render after them.
    if (what === 'parts') this.context.frames.cancel(this.renderNow);
    super.update(part);
  }

  protected override summarize(): DisclosureSummary {
    const { part, scope, text } = this;
    const { locale } = this.context;
    const { number } = part;
    const activity = this.findActivity('step-activity');
    const state = resolveStepState(part, scope.message, scope.live);
    const isRunning = state === 'running';
    const progress = isRunning ? activity?.progress : null;
    const single = part.kind === 'step' && part.single;
    const failed = this.#countTools('failed');
    // A text at the end of the message is the answer, so the step is not collapsed.
    const hasAnswer = endsWithTextIn(scope.message.parts, part.key);
    this.node.classList.toggle('single', single);
    this.node.classList.toggle('with-answer', hasAnswer);
    return {
      state,
      texts: {
        number: number === null ? '' : text('stepNumber', { number }),
        title: contentText(part.title || (activity?.title ?? ''), locale),
        hidden: text(STEP_STATE_STRINGS[state]),
        status: contentText((isRunning && activity?.status) || '', locale),
      },
      meta: [
        this.#countTools('waiting') > 0 ? text('toolWaiting') : '',
        failed > 0 ? text('toolsFailed', { count: failed }) : '',
        progress == null ? '' : locale.percent(progress),
        formatWorkTime(activity, scope),
      ],
      open: single || isRunning || hasAnswer || this.#showsFilesOrHostParts(),
    };
  }

  protected override render(): void {
    super.render();
    const results = this.findActivity('step-activity')?.results ?? null;
    if (results !== null && !this.#createResults) return this.#loadResults();
    render(
      this.#createResults && results !== null ? this.#createResults(results) : nothing,
      this.#resultsContainer,
    );
  }

  /** Loads the code that renders the results. If loading fails, the next rendering tries again. */
  #loadResults(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    lazyJsonView.load().then(
      ({ createDataDisclosure }) => {
        this.#createResults = memoizeElement(this.context, createDataDisclosure);
        this.scheduleRender();
      },
      (error: UbikError) => {
        this.#isLoading = false;
        this.context.report(error);
      },
    );
  }

  /** Returns the number of the step's tools that are shown in a state. */
  #countTools(state: ToolState): number {
    return this.content.querySelectorAll(`.tool[data-state='${state}']`).length;
  }

  /** Whether a tool in the step shows an image or a file, or the host page shows a part. */
  #showsFilesOrHostParts(): boolean {
    return this.content.querySelector('.media > *, .host') !== null;
  }
}
