import { element } from '../../dom/element.js';
import type { UbikError } from '../../errors.js';
import type { Part, PartOf } from '../../model/part.js';
import { createButton } from '../buttons.js';
import { setContentLocale } from '../content-lang.js';
import { createLazyModule } from '../create-lazy-module.js';
import { explainError } from '../explain-error.js';
import type { MessageScope, PartView } from '../part-view.js';
import type { RequestForm } from './text-form.js';

/** The chunk with the view of requests: loaded with the first request, or ahead of time after an answer. */
export const lazyRequestView = createLazyModule(() => import('./request-view.js'));

/** The chunk with the form for answers other than a text. */
export const lazyAnswerForm = createLazyModule(() => import('./answer-form.js'));

/** Loads the form for answers, which the composer (for the inputs of an agent) and gates use, too. Resolves to a function that creates a form. */
export async function loadAnswerForm(): Promise<() => RequestForm> {
  const [{ AnswerForm }, { renderTextArea }] = await Promise.all([
    lazyAnswerForm.load(),
    lazyRequestView.load(),
  ]);
  return () => new AnswerForm(renderTextArea);
}

/**
 * Renders a question of the agent or of a tool with a view that is loaded on demand. Until then it shows the question; when the view cannot
 * be loaded, also the reason and a button that tries again.
 */
export class OnDemandRequestView implements PartView {
  readonly content = null;
  readonly #scope: MessageScope;
  readonly #placeholder = element('section', 'request');
  #part: PartOf<'input-request' | 'request-activity'>;
  #view: PartView | null = null;
  /** Whether the view gets the focus when it is loaded. */
  #wantsFocus = false;
  #isDisposed = false;

  constructor(part: PartOf<'input-request' | 'request-activity'>, scope: MessageScope) {
    this.#part = part;
    this.#scope = scope;
    this.#placeholder.part.add('request');
    const { value } = lazyRequestView;
    if (value) this.#view = new value.RequestView(part, scope);
    else this.#load();
  }

  get node(): HTMLElement {
    return this.#view?.node ?? this.#placeholder;
  }

  update(part: Part, what: 'text' | 'fields' | 'parts'): void {
    this.#part = part as PartOf<'input-request' | 'request-activity'>;
    this.#view?.update(part, what);
  }

  redraw(): void {
    this.#view?.update(this.#part, 'fields');
  }

  focus(): void {
    this.#wantsFocus = true;
    this.#view?.focus?.();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#view?.dispose();
  }

  readonly #load = (): void => {
    const question = element('h3', 'question', this.#part.prompt);
    setContentLocale(question, this.#scope.context.locale);
    this.#placeholder.replaceChildren(question);
    this.#placeholder.ariaBusy = 'true';
    lazyRequestView.load().then(({ RequestView }) => {
      if (this.#isDisposed) return;
      this.#view = new RequestView(this.#part, this.#scope);
      this.#placeholder.replaceWith(this.#view.node);
      if (this.#wantsFocus) this.#view.focus?.();
    }, this.#showFailure);
  };

  readonly #showFailure = (error: UbikError): void => {
    const { context } = this.#scope;
    this.#placeholder.ariaBusy = null;
    context.report(error);
    const reason = element('p', 'error-text', explainError(error, context.locale));
    reason.role = 'alert';
    this.#placeholder.append(reason, createButton(context.locale.text('retry'), this.#load));
  };
}
