import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Key } from '../model/json.js';
import { RUN_ACTIVITY, type Mark, type Part } from '../model/part.js';
import { renderSource, shortCitationLabel } from './citation.js';
import { explainCode } from './explain-error.js';
import { Disclosure } from './parts/disclosure.js';
import { renderIcon, type IconName } from './icons.js';
import type { MessageScope } from './part-view.js';
import { langOfContent } from './content-lang.js';

/** Sources that are shown before "show all". */
const SOURCES = 3;
/** A run that has told nothing yet. */
const IDLE = { step: null, totalSteps: null, progress: null, description: '' };

/**
 * The end of a message: places for activity that has no place in the content (yet), what the agent is doing now, how the message
 * ended, and its sources.
 */
export class MessageStatus {
  readonly node: HTMLElement;
  readonly #scope: MessageScope;
  readonly #fold: Disclosure;
  readonly #held = element('div');
  readonly #requests = element('div');
  readonly #end = element('div', 'status-line');
  #shownSources = SOURCES;

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.#fold = new Disclosure('activity', this.render);
    this.node = element('div', 'tail', this.#held, this.#fold.node, this.#requests, this.#end);
  }

  /** Where the view of loose activity goes: a question and what was said must be seen, the rest may be folded. */
  containerFor(part: Part): HTMLElement {
    if (part.kind === 'incomplete-activity') return this.#held;
    return part.kind === 'request-activity' ? this.#requests : this.#fold.content;
  }

  readonly render = (): void => {
    const { context, live } = this.#scope;
    const count = this.#fold.content.childElementCount;
    this.#fold.node.hidden = count === 0;
    if (count > 0) {
      const title = context.locale.text('otherActivity', { count });
      this.#fold.render({ state: 'loose', texts: { title }, open: live });
    }
    render([this.#renderState(), live ? nothing : this.#renderSources()], this.#end);
  };

  /** What the agent does, or how it ended. Why the connection broke is told by the line of state, together with what can be done. */
  #renderState(): TemplateResult | typeof nothing {
    const { message, context } = this.#scope;
    const { status, failure, parts } = message;
    const { locale } = context;
    if (status === 'streaming') return this.#renderWorking();
    if (status === 'stopped') return renderNote('stop', locale.text('stopped'));
    const isTold = parts.children(null).some((key) => parts.get(key)?.kind === 'error');
    if (isTold || (status !== 'failed' && status !== 'interrupted')) return nothing;
    const reason = failure ? explainCode(failure.code, locale) : locale.text('failed');
    return renderNote('alert', status === 'failed' ? reason : locale.text('incomplete'), 'failure');
  }

  #renderWorking(): TemplateResult {
    const { message, context } = this.#scope;
    const run = message.parts.get(RUN_ACTIVITY);
    const told = run?.kind === 'run-activity' ? run : IDLE;
    const { step, totalSteps: total, progress, description } = told;
    const words =
      step !== null && total !== null && total > 1
        ? context.locale.text('stepOf', { step, total })
        : context.locale.text('working');
    const status = html`<bdi class="status" lang=${langOfContent(context.locale)}
      >${description}</bdi
    >`;
    const bar =
      progress === null
        ? nothing
        : html`<progress
            max="100"
            .value=${progress}
            aria-label=${context.locale.text('progress')}
          ></progress>`;
    return renderNote('dot', words, 'working', html`${status} ${bar}`);
  }

  #renderSources(): TemplateResult | typeof nothing {
    const { context } = this.#scope;
    const sources = [...this.#findSources().values()];
    const count = sources.length;
    if (count === 0) return nothing;
    return html`<section class="sources" part="sources">
      <h3>${context.locale.text('sources')}</h3>
      <ol>
        ${sources.slice(0, this.#shownSources).map(
          (mark) =>
            html`<li>
              <span class="cite-label">${shortCitationLabel(mark)}</span>
              ${renderSource(mark, context)}
            </li>`,
        )}
      </ol>
      ${
        count > this.#shownSources
          ? html`<button class="quiet" type="button" @click=${this.#handleAll}>
              ${context.locale.text('showAll', { count })}
            </button>`
          : nothing
      }
    </section>`;
  }

  readonly #handleAll = (): void => {
    this.#shownSources = Infinity;
    this.render();
  };

  /** Each source that says what it is, once, in the order of its first mention. */
  #findSources(parent: Key | null = null, found = new Map<string, Mark>()): Map<string, Mark> {
    const { parts } = this.#scope.message;
    for (const key of parts.children(parent)) {
      const part = parts.get(key);
      for (const mark of Object.values((part?.kind === 'text' && part.marks) || {})) {
        const name = mark.url ?? mark.id ?? mark.title ?? '';
        if ((mark.url ?? mark.title) !== undefined && !found.has(name)) found.set(name, mark);
      }
      this.#findSources(key, found);
    }
    return found;
  }
}

function renderNote(
  icon: IconName,
  words: string,
  name = '',
  status: unknown = '',
): TemplateResult {
  return html`<p class="note ${name}">
    <span class="glyph">${renderIcon(icon)}</span>${words} ${status}
  </p>`;
}
