import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import type { Key } from '../model/json.js';
import type { Message, PartIndex } from '../model/message.js';
import { RUN_ACTIVITY } from '../model/part.js';
import { lazyCitationCard } from './citation.js';
import { langOfContent } from './content-lang.js';
import { explainCode } from './explain-error.js';
import { renderIcon, type IconName } from './icons.js';
import type { MessageScope } from './part-view.js';
import { Disclosure } from './parts/disclosure.js';
import type { SourceList } from './source-list.js';
import type { ActivityRegion } from './parts/part-views.js';

/** The progress of a run that has not reported any. */
const NO_PROGRESS = { step: null, totalSteps: null, progress: null, description: '' };

/** The end of an answer: activity that no content part renders (yet), the progress or the outcome of the run, and the sources. */
export class AnswerStatus {
  readonly node: HTMLElement;
  readonly #scope: MessageScope;
  readonly #activity: Disclosure;
  readonly #incompleteTexts = element('div');
  readonly #requests = element('div');
  readonly #end = element('div', 'status-line');
  #sources: SourceList | undefined;

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.#activity = new Disclosure('activity', this.render);
    this.node = element(
      'div',
      'message-status',
      this.#incompleteTexts,
      this.#activity.node,
      this.#requests,
      this.#end,
    );
  }

  /** Returns the container of a region. Requests and incomplete texts are always visible; other activity is in a disclosure. */
  containerFor(region: ActivityRegion): HTMLElement {
    const containers = {
      activity: this.#activity.content,
      incomplete: this.#incompleteTexts,
      request: this.#requests,
    };
    return containers[region];
  }

  dispose(): void {
    this.#sources?.dispose();
  }

  readonly render = (): void => {
    const { context, live } = this.#scope;
    const count = this.#activity.content.childElementCount;
    this.#activity.node.hidden = count === 0;
    if (count > 0) {
      const title = context.locale.text('otherActivity', { count });
      // No state has this name, so the summary shows the default icon.
      this.#activity.render({ state: 'other', texts: { title }, open: live });
    }
    render([this.#renderStatus(), live ? nothing : this.#renderSources()], this.#end);
  };

  /**
   * Renders what the agent is doing, or how the run has ended. The status line below the messages (`elements/transcript/status-line.ts`)
   * explains a lost connection, and what can be done about it.
   */
  #renderStatus(): TemplateResult | typeof nothing {
    const { message, context } = this.#scope;
    // The status line below the messages shows that the run is being stopped.
    const isStopping = context.actions.thread?.run.state === 'stopping';
    if (message.status === 'streaming') return isStopping ? nothing : this.#renderProgress();
    const outcome = describeOutcome(message, context.locale);
    return outcome ? renderNote(outcome.icon, outcome.text, outcome.className) : nothing;
  }

  #renderProgress(): TemplateResult {
    const { message, context } = this.#scope;
    const { locale } = context;
    const run = message.parts.get(RUN_ACTIVITY);
    const reported = run?.kind === 'run-activity' ? run : NO_PROGRESS;
    const { step, totalSteps: total, progress, description } = reported;
    const text =
      step !== null && total !== null && total > 1
        ? locale.text('stepOf', { step, total })
        : locale.text('working');
    const bar =
      progress === null
        ? nothing
        : html`<progress
            max="100"
            .value=${progress}
            aria-label=${locale.text('progress')}
          ></progress>`;
    return renderNote(
      'dot',
      text,
      'working',
      html`<bdi class="status" lang=${langOfContent(locale)}>${description}</bdi> ${bar}`,
    );
  }

  /** Renders the list of sources; its module is loaded with the first citation. */
  #renderSources(): TemplateResult | typeof nothing {
    if (this.#sources) return this.#sources.render();
    if (!hasCitations(this.#scope.message.parts, null)) return nothing;
    const { value } = lazyCitationCard;
    if (value) {
      this.#sources = new value.SourceList(this.#scope, this.#end, this.render);
      return this.#sources.render();
    }
    lazyCitationCard.whenLoaded(this.render);
    lazyCitationCard.prefetch();
    return nothing;
  }
}

/** Whether a text in or below `parent` has citations. */
function hasCitations(parts: PartIndex, parent: Key | null): boolean {
  return parts.children(parent).some((key) => {
    const part = parts.get(key);
    return (part?.kind === 'text' && part.marks !== undefined) || hasCitations(parts, key);
  });
}

/** The line that shows how a run has ended. */
export interface OutcomeLine {
  readonly icon: IconName;
  readonly text: string;
  readonly className: string;
}

/**
 * Describes how the run of a message has ended; null for a run that is complete, in progress or waiting, and for a failed or interrupted one with
 * an error part, which says why.
 */
export function describeOutcome(
  { status, failure, parts }: Message,
  locale: Locale,
): OutcomeLine | null {
  if (status === 'stopped') return { icon: 'stop', text: locale.text('stopped'), className: '' };
  const hasErrorPart = parts.children(null).some((key) => parts.get(key)?.kind === 'error');
  if (hasErrorPart || (status !== 'failed' && status !== 'interrupted')) return null;
  const reason = failure ? explainCode(failure.code, locale) : locale.text('failed');
  const text = status === 'failed' ? reason : locale.text('incomplete');
  return { icon: 'alert', text, className: 'failure' };
}

function renderNote(
  icon: IconName,
  text: string,
  className = '',
  details: unknown = '',
): TemplateResult {
  return html`<p class="note ${className}">
    <span class="glyph">${renderIcon(icon)}</span>${text} ${details}
  </p>`;
}
