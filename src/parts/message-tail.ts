import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { Key } from '../model/json.js';
import type { Mark, Part, PartOf } from '../model/part.js';
import { ACTIVITY } from '../model/part.js';
import { createSource, isNamed } from './citation.js';
import { explainCode } from './explain-error.js';
import { renderIcon } from './icons.js';
import { createPartView } from './part-table.js';
import type { MessageScope, PartView } from './part-view.js';

/** Sources that are shown before "show all". */
const SOURCES = 3;

/**
 * The end of a message: activity that has no place in the content (yet), what the agent is doing now, how the message ended, and
 * its sources.
 */
export class MessageTail {
  readonly node = element('div', 'tail');
  readonly #scope: MessageScope;
  readonly #fold = element('details', 'fold activity');
  readonly #summary = element('summary');
  readonly #loose = element('div', 'content');
  readonly #requests = element('div');
  readonly #status = element('div', 'status-line');
  readonly #views = new Map<Key, PartView>();
  #allSources = false;

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.#fold.append(this.#summary, this.#loose);
    this.#fold.open = scope.live;
    this.node.append(this.#fold, this.#requests, this.#status);
    this.draw();
  }

  /** The view of a request that stands only here. */
  requestView(key: Key): PartView | undefined {
    return this.#views.get(key);
  }

  /** Asks for a drawing in the coming frame. */
  readonly invalidate = (): void => {
    this.#scope.context.frames.schedule(this.draw);
  };

  /** Hands a change of loose activity on to its view. */
  update(part: Part, what: 'text' | 'fields'): void {
    this.#views.get(part.key)?.update(part, what);
  }

  dispose(): void {
    this.#scope.context.frames.cancel(this.draw);
    this.#views.forEach((view) => {
      view.dispose();
    });
  }

  readonly draw = (): void => {
    const { message, context, live } = this.#scope;
    const activity = message.parts
      .children(ACTIVITY)
      .flatMap((key) => message.parts.get(key) ?? []);
    const loose = activity.filter((part) => this.#isLoose(part));
    this.#sync(loose);
    const steps = loose.filter((part) => part.kind === 'step-activity');
    const count = this.#loose.childElementCount + steps.length;
    this.#fold.hidden = count === 0;
    if (count > 0) {
      const words = context.locale.text('otherActivity', { count });
      render(html`${renderIcon('chevron')}<span class="line">${words}</span>`, this.#summary);
    }
    if (!live) this.#fold.open &&= this.#fold.matches(':focus-within');
    render(this.#template(activity, steps), this.#status);
  };

  /** Without a part in the content that it belongs to. */
  #isLoose(part: Part): boolean {
    const { parts } = this.#scope.message;
    switch (part.kind) {
      case 'tool-activity':
        return part.part === null || !parts.get(part.part);
      case 'request-activity':
        return (part.part === null || !parts.get(part.part)) && part.state !== 'closed';
      case 'step-activity':
        return !parts.children(null).some((key) => isStep(parts.get(key), part.number));
      default:
        return false;
    }
  }

  #sync(loose: readonly Part[]): void {
    const wanted = new Set(loose.map(({ key }) => key));
    for (const [key, view] of this.#views) {
      if (wanted.has(key)) continue;
      view.dispose();
      view.node.remove();
      this.#views.delete(key);
    }
    for (const part of loose) {
      if (part.kind === 'step-activity' || this.#views.has(part.key)) continue;
      const view = createPartView(part, this.#scope);
      this.#views.set(part.key, view);
      (part.kind === 'request-activity' ? this.#requests : this.#loose).append(view.node);
    }
  }

  #template(activity: readonly Part[], steps: readonly PartOf<'step-activity'>[]): TemplateResult {
    const { message, context } = this.#scope;
    const { locale } = context;
    const run = activity.find((part) => part.kind === 'run-activity');
    return html`${steps.map(({ number, title }) => this.#renderStep(number, title))}
    ${message.status === 'streaming' ? this.#renderWorking(run) : nothing}
    ${
      message.status === 'stopped'
        ? html`<p class="note">${renderIcon('stop')}${locale.text('stopped')}</p>`
        : nothing
    }
    ${message.status === 'interrupted' || message.status === 'failed' ? this.#renderFailure() : nothing}
    ${this.#scope.live ? nothing : this.#renderSources()}`;
  }

  #renderStep(number: number, title: string): TemplateResult {
    return html`<p class="note">
      ${renderIcon('check')}${this.#scope.context.locale.text('stepNumber', { number })}
      <bdi>${title}</bdi>
    </p>`;
  }

  #renderWorking(run: PartOf<'run-activity'> | undefined): TemplateResult {
    const { locale } = this.#scope.context;
    const steps =
      run?.step != null && run.totalSteps != null && run.totalSteps > 1
        ? locale.text('workingOn', { step: run.step, total: run.totalSteps })
        : '';
    return html`<p class="note working">
      <span class="glyph">${renderIcon('dot')}</span>
      ${steps || locale.text('working')} <bdi class="status">${run?.description}</bdi>
    </p>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { message, context } = this.#scope;
    const told = message.parts
      .children(null)
      .some((key) => message.parts.get(key)?.kind === 'error');
    if (told) return nothing;
    // Why the connection broke is told by the line of state, together with what can be done.
    const { locale } = context;
    const reason = message.failure
      ? explainCode(message.failure.code, locale)
      : locale.text('failed');
    const words = message.status === 'failed' ? reason : locale.text('incomplete');
    return html`<p class="note failure">${renderIcon('alert')}${words}</p>`;
  }

  #renderSources(): TemplateResult | typeof nothing {
    const { context } = this.#scope;
    const sources = this.#findSources();
    if (sources.length === 0) return nothing;
    const shown = this.#allSources ? sources : sources.slice(0, SOURCES);
    return html`<section class="sources" part="sources">
      <h3>${context.locale.text('sources')}</h3>
      <ol>
        ${shown.map(
          (mark) =>
            html`<li>
              <span class="cite-label">${mark.label.replace(/^\[|\]$/g, '')}</span>
              ${createSource(mark, context)}
            </li>`,
        )}
      </ol>
      ${
        shown.length < sources.length
          ? html`<button class="quiet" type="button" @click=${this.#handleAll}>
              ${context.locale.text('showAll', { count: sources.length })}
            </button>`
          : nothing
      }
    </section>`;
  }

  readonly #handleAll = (): void => {
    this.#allSources = true;
    this.draw();
  };

  /** Each source once, in the order of its first mention. */
  #findSources(parent: Key | null = null, found = new Map<string, Mark>()): readonly Mark[] {
    const { parts } = this.#scope.message;
    for (const key of parts.children(parent)) {
      const part = parts.get(key);
      if (part?.kind === 'text') {
        for (const mark of Object.values(part.marks ?? {})) {
          const name = mark.url ?? mark.id ?? mark.title ?? mark.label;
          if (isNamed(mark) && !found.has(name)) found.set(name, mark);
        }
      }
      this.#findSources(key, found);
    }
    return [...found.values()];
  }
}

function isStep(part: Part | undefined, number: number): boolean {
  return part?.kind === 'step' && part.number === number;
}
