import { element } from '../../dom/element.js';
import type { UbikError } from '../../errors.js';
import type { Locale, StringName } from '../../locales/locale.js';
import type { PartOf } from '../../model/part.js';
import { renderForm } from '../buttons.js';
import { langOfContent } from '../content-lang.js';
import { createLazyModule } from '../create-lazy-module.js';
import { explainError } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import { parseJson } from '../json-view.js';
import type { Answer, MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';
import { contentText, renderSummary, type ContentText } from '../parts/disclosure.js';
import { toolLabel } from '../tool/tool-text.js';
import { TextForm, isPlainTextQuestion, renderTextArea, type RequestForm } from './text-form.js';
import { html, nothing, render, type TemplateResult } from 'lit';

type Request = PartOf<'request-activity'>;

/** Why there is no form, by state; where nothing is said, the question is only text. */
const NOTES: Readonly<Record<string, StringName>> = {
  taken: 'requestElsewhere',
  expired: 'requestExpired',
  closed: 'requestClosed',
};

/**
 * A question of the agent or of a tool. The form is there only when events or the server's history have armed it and the host
 * has not taken it over; a question that is only written in a text stays text. Answered: folded to one line.
 */
export class RequestView extends BasePartView<'input-request' | 'request-activity'> {
  readonly #id: string;
  #form: RequestForm | undefined;
  #complaint = '';
  #busy = false;
  /** The file with the form was asked for. */
  #isFetching = false;

  constructor(part: PartOf<'input-request' | 'request-activity'>, scope: MessageScope) {
    super(part, scope, element('section', 'request'), 'request');
    this.#id = scope.context.createId();
    // Of several forms, each says what it asks.
    this.node.role = 'group';
    this.node.setAttribute('aria-labelledby', `${this.#id}-asks`);
    this.renderNow();
  }

  /** Puts the focus into the form. */
  focus(): void {
    this.node.scrollIntoView({ block: 'nearest' });
    const form = this.node.querySelector('form');
    if (form) this.#form?.focus(form);
    // Long forms: what has the focus must be seen.
    form?.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): void {
    const request = this.findActivity('request-activity');
    const state = this.#stateOf(request);
    this.node.dataset['state'] = state;
    this.setTicking(state === 'pending' && request?.deadline != null);
    render(
      state === 'answered' ? this.#renderAnswered() : this.#renderQuestion(state, request),
      this.node,
    );
  }

  #renderQuestion(state: string, request: Request | undefined): TemplateResult {
    const { text } = this;
    const { locale } = this.context;
    const tool = request?.toolName;
    const asker = tool ? text('requestOf', { tool: toolLabel(tool, locale) }) : text('request');
    const note = NOTES[state];
    const id = `${this.#id}-asks`;
    const lang = langOfContent(locale);
    return html`<p class="meta">${renderIcon('question')} ${asker}</p>
      <h3 class="question" id=${id} dir="auto" lang=${lang}>${this.part.prompt}</h3>
      ${state === 'pending' && request ? this.#renderForm(request) : ''}
      ${note ? html`<p class="meta">${text(note)}</p>` : ''}`;
  }

  #renderForm(request: Request): TemplateResult {
    const { text } = this;
    const { locale, clock } = this.context;
    const { deadline } = request;
    const form = this.#findForm(request);
    if (!form) return this.#renderFetching();
    const left = Math.ceil(((deadline ?? 0) - clock.now()) / 1000) * 1000;
    return renderForm(
      {
        className: '',
        submitLabel: text('requestSend'),
        cancelLabel: text('requestDecline'),
        onSubmit: this.#handleSubmit,
        onCancel: this.#handleDecline,
        busy: this.#busy,
      },
      html`${form.render(request, locale, this.#id)}
        <p class="complaint" id=${this.#id} role="alert">${this.#complaint}</p>`,
      deadline === null
        ? ''
        : html`<span class="meta"
            >${text('requestExpires', { time: locale.duration(left) })}</span
          >`,
    );
  }

  /** The form that a question needs. One that is more than a text comes in a file of its own. */
  #findForm(request: Request): RequestForm | null {
    const Form = isPlainTextQuestion(request) ? TextForm : lazyAnswerForm.value?.AnswerForm;
    if (!Form) {
      this.#fetch();
      return null;
    }
    if (!(this.#form instanceof Form)) this.#form = new Form(renderTextArea);
    return this.#form;
  }

  #fetch(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    lazyAnswerForm.load().then(this.scheduleRender, (error: UbikError) => {
      this.#complaint = explainError(error, this.context.locale);
      this.context.report(error);
      this.renderNow();
    });
  }

  #renderFetching(): TemplateResult {
    const { text } = this;
    if (!this.#complaint) return html`<p class="meta">${text('requestLoading')}</p>`;
    return html`<p class="complaint" role="alert">${this.#complaint}</p>
      <div class="buttons">
        <button class="quiet" type="button" @click=${this.#handleRetry}>${text('retry')}</button>
      </div>`;
  }

  readonly #handleRetry = (): void => {
    this.#isFetching = false;
    this.#complaint = '';
    this.renderNow();
  };

  #renderAnswered(): TemplateResult {
    const { prompt } = this.part;
    const { locale } = this.context;
    const { part } = this;
    const told = part.kind === 'input-request' ? part.answer : null;
    const stored = told ?? this.findActivity('request-activity')?.answer ?? null;
    const answer = describeAnswer(stored, locale);
    const { text, lang } = typeof answer === 'string' ? { text: answer, lang: undefined } : answer;
    const words = {
      hidden: this.text('requestAnswered'),
      title: contentText(prompt, locale),
      status: answer,
    };
    return html`<details class="fold">
      <summary>${renderSummary({ state: 'answered', texts: words })}</summary>
      <div class="content">
        <p id="${this.#id}-asks" dir="auto" lang=${langOfContent(locale)}>${prompt}</p>
        <p dir="auto" lang=${lang ?? nothing}>${text}</p>
      </div>
    </details>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const request = this.findActivity('request-activity');
    const form = event.currentTarget as HTMLFormElement;
    const reading = request && this.#form?.read(form, request, this.context.locale);
    if (!reading || this.#busy) return;
    if ('answer' in reading) {
      void this.#provide(reading.answer);
      return;
    }
    this.#complaint = reading.complaint;
    this.renderNow();
    this.focus();
  };

  readonly #handleDecline = (): void => {
    void this.#provide({ type: 'declined', text: this.text('requestDeclineSentence') });
  };

  /** Sends an answer, once, and says it when the service does not take it. */
  async #provide(answer: Answer): Promise<void> {
    const { context, scope } = this;
    const request = this.findActivity('request-activity');
    if (!request || this.#busy) return;
    this.#busy = true;
    this.#complaint = '';
    this.renderNow();
    try {
      await context.actions.provideInput?.(scope.message.key, request.key, answer);
    } catch (error) {
      this.#complaint = explainError(error, context.locale);
    }
    this.#busy = false;
    this.renderNow();
  }

  #stateOf(request: Request | undefined): string {
    const { part, scope } = this;
    const { actions: acts, clock } = this.context;
    if (part.kind === 'input-request' && part.answer !== null) return 'answered';
    if (request?.state !== 'pending') return request?.state ?? 'text';
    if (acts.isHandledByPage?.(scope.message.key, request.key)) return 'taken';
    if (request.deadline !== null && request.deadline <= clock.now()) return 'expired';
    return acts.provideInput ? 'pending' : 'text';
  }
}

/** Forms for answers that are more than a text. */
export const lazyAnswerForm = createLazyModule(() => import('./answer-form.js'));

/** What became of a question without an answer, by the type that stands in the place of one. */
const ENDINGS: ReadonlyMap<unknown, StringName> = new Map([
  ['declined', 'requestDeclined'],
  ['expired', 'requestExpired'],
]);

/** What was answered, as the service keeps it: in the words of the person, or in ours for what they chose or left. */
export function describeAnswer(stored: string | null, locale: Locale): string | ContentText {
  if (stored === null) return locale.text('requestAnswered');
  const value = parseJson(stored);
  if (typeof value !== 'object' || value === null) return contentText(stored, locale);
  const fields = new Map(Object.entries(value));
  const ending = ENDINGS.get(fields.get('type'));
  if (ending) return locale.text(ending);
  const input: unknown = fields.get('input') ?? value;
  if (typeof input === 'boolean') return locale.text(input ? 'yes' : 'no');
  return contentText(typeof input === 'string' ? input : JSON.stringify(input), locale);
}
