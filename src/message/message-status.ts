import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Key } from '../model/json.js';
import { RUN_ACTIVITY, type CitationMark } from '../model/part.js';
import { renderSource, shortCitationLabel } from './citation.js';
import { langOfContent } from './content-lang.js';
import { explainCode } from './explain-error.js';
import { renderIcon, type IconName } from './icons.js';
import type { MessageScope } from './part-view.js';
import { Disclosure } from './parts/disclosure.js';
import type { ActivityRegion } from './parts/part-views.js';

/** Number of sources before "Show all". */
const INITIAL_SOURCES = 3;
/** The progress of a run that has not reported any. */
const NO_PROGRESS = { step: null, totalSteps: null, progress: null, description: '' };

/** The end of an answer: activity that no content part renders (yet), the progress or the outcome of the run, and the sources. */
export class MessageStatus {
  readonly node: HTMLElement;
  readonly #scope: MessageScope;
  readonly #activity: Disclosure;
  readonly #incompleteTexts = element('div');
  readonly #requests = element('div');
  readonly #end = element('div', 'status-line');
  #visibleSources = INITIAL_SOURCES;

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

  readonly render = (): void => {
    const { context, live } = this.#scope;
    const count = this.#activity.content.childElementCount;
    this.#activity.node.hidden = count === 0;
    if (count > 0) {
      const title = context.locale.text('otherActivity', { count });
      this.#activity.render({ state: 'loose', texts: { title }, open: live });
    }
    render([this.#renderStatus(), live ? nothing : this.#renderSources()], this.#end);
  };

  /**
   * Renders what the agent is doing, or how the run has ended. The status line explains a lost connection, and what can be done about it.
   */
  #renderStatus(): TemplateResult | typeof nothing {
    const { message, context } = this.#scope;
    const { status, failure, parts } = message;
    const { locale } = context;
    if (status === 'streaming') return this.#renderProgress();
    if (status === 'stopped') return renderStatusLine('stop', locale.text('stopped'));
    const hasErrorPart = parts.children(null).some((key) => parts.get(key)?.kind === 'error');
    if (hasErrorPart || (status !== 'failed' && status !== 'interrupted')) return nothing;
    const reason = failure ? explainCode(failure.code, locale) : locale.text('failed');
    const text = status === 'failed' ? reason : locale.text('incomplete');
    return renderStatusLine('alert', text, 'failure');
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
    return renderStatusLine(
      'dot',
      text,
      'working',
      html`<bdi class="status" lang=${langOfContent(locale)}>${description}</bdi> ${bar}`,
    );
  }

  #renderSources(): TemplateResult | typeof nothing {
    const { context } = this.#scope;
    const sources = [...this.#collectSources().values()];
    const count = sources.length;
    if (count === 0) return nothing;
    return html`<section class="sources" part="sources">
      <h3>${context.locale.text('sources')}</h3>
      <ol>
        ${sources.slice(0, this.#visibleSources).map(
          (mark) =>
            html`<li>
              <span class="cite-label">${shortCitationLabel(mark)}</span>
              ${renderSource(mark, context)}
            </li>`,
        )}
      </ol>
      ${
        count > this.#visibleSources
          ? html`<button class="quiet" type="button" @click=${this.#handleShowAll}>
              ${context.locale.text('showAll', { count })}
            </button>`
          : nothing
      }
    </section>`;
  }

  readonly #handleShowAll = (): void => {
    this.#visibleSources = Infinity;
    this.render();
  };

  /** Returns the distinct sources with a title or a URL, in the order of their first citation. */
  #collectSources(
    parent: Key | null = null,
    found = new Map<string, CitationMark>(),
  ): Map<string, CitationMark> {
    const { parts } = this.#scope.message;
    for (const key of parts.children(parent)) {
      const part = parts.get(key);
      for (const mark of Object.values((part?.kind === 'text' && part.marks) || {})) {
        const id = mark.url ?? mark.id ?? mark.title ?? '';
        if ((mark.url ?? mark.title) !== undefined && !found.has(id)) found.set(id, mark);
      }
      this.#collectSources(key, found);
    }
    return found;
  }
}

function renderStatusLine(
  icon: IconName,
  text: string,
  className = '',
  details: unknown = '',
): TemplateResult {
  return html`<p class="note ${className}">
    <span class="glyph">${renderIcon(icon)}</span>${text} ${details}
  </p>`;
}
