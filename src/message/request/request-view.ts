import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isUbikError, type UbikError } from '../../errors.js';
import { requestStrings } from '../../locales/en-requests.js';
import { addDefaultStrings, type Locale, type StringName } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY, type PartOf } from '../../model/part.js';
import { renderForm } from '../buttons.js';
import { langOfContent } from '../content-lang.js';
import { explainError } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import { parseJson } from '../parse-json.js';
import type { Answer, MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';
import { contentText, renderSummary, type ContentText } from '../parts/disclosure.js';
import { toolLabel } from '../tool/tool-text.js';
import { lazyAnswerForm } from './lazy-request.js';
import { hasSecret } from './secret-schema.js';
import { isPlainTextQuestion, renderTextArea, TextForm, type RequestForm } from './text-form.js';

addDefaultStrings(requestStrings);

export { renderTextArea };

type Request = PartOf<'request-activity'>;

/** What was entered in the form of a question. */
interface Entry {
  readonly prompt: string;
  /** The values of the controls; undefined for a secret, which is not kept. */
  readonly values: readonly unknown[];
}

/** What the user has entered in forms that were removed, for example because another conversation is shown, by message and key of the part. */
const unsent = new WeakMap<Message['parts'], Map<Key, Entry>>();

/** Returns the name of the property that contains what the user has entered. */
function propertyOf({ type }: HTMLInputElement): 'files' | 'checked' | 'value' {
  if (type === 'file') return 'files';
  return type === 'radio' || type === 'checkbox' ? 'checked' : 'value';
}

/** Notes that explain why there is no form. In other states without a form, only the question is shown. */
const STATE_NOTES: Readonly<Record<string, StringName>> = {
  external: 'requestElsewhere',
  expired: 'requestExpired',
  closed: 'requestClosed',
};

/**
 * Renders a question of the agent or of a tool. It has a form only while the request is pending, according to an event or to the history of
 * the service, and the host page does not answer it itself: a question that only occurs in a text is not a request. An answered request is
 * collapsed to one line.
 */
export class RequestView extends BasePartView<'input-request' | 'request-activity'> {
  readonly #id: string;
  #form: RequestForm | undefined;
  /** Why the answer is invalid or could not be sent, or why the form could not be loaded; empty without an error. */
  #error = '';
  #isBusy = false;
  /** Whether the module with the form was requested. */
  #isLoading = false;
  /** Whether the form has been rendered, with what was entered before. */
  #isRestored = false;

  constructor(part: PartOf<'input-request' | 'request-activity'>, scope: MessageScope) {
    super(part, scope, element('section', 'request'), 'request');
    this.#id = scope.context.createId();
    // When there are several forms, each is named by its question.
    this.node.role = 'group';
    this.node.setAttribute('aria-labelledby', `${this.#id}-question`);
    this.renderNow();
  }

  focus(): void {
    this.node.scrollIntoView({ block: 'nearest' });
    const form = this.node.querySelector('form');
    if (form) this.#form?.focus(form);
    // The form may be taller than the viewport.
    form?.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  }

  override dispose(): void {
    super.dispose();
    const { parts } = this.scope.message;
    const { key, prompt } = this.part;
    const entries = unsent.get(parts) ?? new Map<Key, Entry>();
    const values = this.#controls.map((control) =>
      control.type === 'password' || 'secret' in control.dataset
        ? undefined
        : control[propertyOf(control)],
    );
    if (values.length > 0) unsent.set(parts, entries.set(key, { prompt, values }));
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
    this.#restoreUnsent();
  }

  /** The controls in which the user enters an answer. */
  get #controls(): HTMLInputElement[] {
    return [...this.node.querySelectorAll<HTMLInputElement>('form :is(input, textarea)')];
  }

  /** Enters what the user had entered in an earlier view of the question, once: another view of it may be removed while this one is shown. */
  #restoreUnsent(): void {
    const controls = this.#isRestored ? [] : this.#controls;
    if (controls.length === 0) return;
    this.#isRestored = true;
    const { prompt, values = [] } = unsent.get(this.scope.message.parts)?.get(this.part.key) ?? {};
    // The agent may ask another question under the same key.
    if (prompt !== this.part.prompt || controls.length !== values.length) return;
    for (const [at, control] of controls.entries()) {
      const value = values[at];
      if (value !== undefined) Object.assign(control, { [propertyOf(control)]: value });
    }
  }

  #renderQuestion(state: string, request: Request | undefined): TemplateResult {
    const { text } = this;
    const { locale } = this.context;
    const tool = request?.toolName;
    const source = tool ? text('requestOf', { tool: toolLabel(tool, locale) }) : text('request');
    const note = STATE_NOTES[state];
    const id = `${this.#id}-question`;
    const lang = langOfContent(locale);
    return html`<p class="meta">${renderIcon('question')} ${source}</p>
      <h3 class="question" id=${id} dir="auto" lang=${lang}>${this.part.prompt}</h3>
      ${state === 'pending' && request ? this.#renderForm(request) : ''}
      ${note ? html`<p class="meta">${text(note)}</p>` : ''}`;
  }

  #renderForm(request: Request): TemplateResult {
    const { text } = this;
    const { locale, clock } = this.context;
    const { deadline } = request;
    const form = this.#findForm(request);
    if (!form) return this.#renderLoading();
    const timeLeft = Math.ceil(((deadline ?? 0) - clock.now()) / 1000) * 1000;
    return renderForm(
      {
        className: '',
        submitLabel: form.submitsByChoice(request, locale) ? '' : text('requestSend'),
        cancelLabel: text('requestDecline'),
        onSubmit: this.#handleSubmit,
        onCancel: this.#handleDecline,
        busy: this.#isBusy,
      },
      html`${form.render(request, locale, this.#id)}
        <p class="error-text" id=${this.#id} role="alert">${this.#error}</p>`,
      deadline === null
        ? ''
        : html`<span class="meta"
            >${text('requestExpires', { time: locale.duration(timeLeft) })}</span
          >`,
    );
  }

  /** Returns the form for a question; null while its chunk is loading. */
  #findForm(request: Request): RequestForm | null {
    const Form = isPlainTextQuestion(request) ? TextForm : lazyAnswerForm.value?.AnswerForm;
    if (!Form) {
      this.#loadForm();
      return null;
    }
    if (!(this.#form instanceof Form)) this.#form = new Form(renderTextArea);
    return this.#form;
  }

  #loadForm(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    lazyAnswerForm.load().then(this.scheduleRender, (error: UbikError) => {
      this.#error = explainError(error, this.context.locale);
      this.context.report(error);
      this.renderNow();
    });
  }

  #renderLoading(): TemplateResult {
    const { text } = this;
    if (!this.#error) return html`<p class="meta">${text('requestLoading')}</p>`;
    return html`<p class="error-text" role="alert">${this.#error}</p>
      <div class="buttons">
        <button class="quiet" type="button" @click=${this.#handleRetry}>${text('retry')}</button>
      </div>`;
  }

  readonly #handleRetry = (): void => {
    this.#isLoading = false;
    this.#error = '';
    this.renderNow();
  };

  #renderAnswered(): TemplateResult {
    const { part } = this;
    const { prompt } = part;
    const { locale } = this.context;
    const activity = this.findActivity('request-activity');
    const stored = part.kind === 'input-request' ? part.answer : null;
    const { state, answer } = describeAnswer(stored, locale, activity);
    const { text, lang } = typeof answer === 'string' ? { text: answer, lang: undefined } : answer;
    const texts = {
      hidden: state === 'answered' ? this.text('requestAnswered') : '',
      title: contentText(prompt, locale),
      status: answer,
    };
    return html`<details class="disclosure">
      <summary>${renderSummary({ state, texts })}</summary>
      <div class="content">
        <p id="${this.#id}-question" dir="auto" lang=${langOfContent(locale)}>${prompt}</p>
        <p dir="auto" lang=${lang ?? nothing}>${text}</p>
      </div>
    </details>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const request = this.findActivity('request-activity');
    const form = event.currentTarget as HTMLFormElement;
    const { submitter } = event;
    const result = request && this.#form?.read(form, request, this.context.locale, submitter);
    if (!result || this.#isBusy) return;
    if ('answer' in result) {
      void this.#submit(result.answer);
      return;
    }
    this.#error = result.error;
    this.renderNow();
    this.focus();
  };

  readonly #handleDecline = (): void => {
    void this.#submit({ type: 'declined', text: this.text('requestDeclineSentence') });
  };

  /** Sends an answer. Does nothing while another one is being sent. */
  async #submit(answer: Answer): Promise<void> {
    const { context, scope } = this;
    const request = this.findActivity('request-activity');
    if (!request || this.#isBusy) return;
    this.#isBusy = true;
    this.#error = '';
    this.renderNow();
    try {
      await context.actions.provideInput?.(scope.message.key, request.key, answer);
      unsent.get(scope.message.parts)?.delete(this.part.key);
    } catch (error) {
      const isAborted = isUbikError(error) && error.code === 'aborted';
      if (!isAborted) this.#error = explainError(error, context.locale);
    }
    this.#isBusy = false;
    this.renderNow();
  }

  /**
   * Returns the state of the request; `external` if the host page answers it, `text` if it cannot be answered here: the question only
   * occurs in a text, or the backend has no `provideInput`.
   */
  #stateOf(request: Request | undefined): string {
    const { part, scope } = this;
    const { actions, clock } = this.context;
    if (part.kind === 'input-request' && part.answer !== null) return 'answered';
    if (request?.state !== 'pending') return request?.state ?? 'text';
    if (actions.isHandledByPage?.(scope.message.key, request.key)) return 'external';
    if (request.deadline !== null && request.deadline <= clock.now()) return 'expired';
    return actions.provideInput ? 'pending' : 'text';
  }
}

/** State and text for the types of stored answers that record that the user did not answer. */
const NO_ANSWER: ReadonlyMap<unknown, readonly [state: string, text: StringName]> = new Map([
  ['declined', ['skipped', 'requestDeclined']],
  ['expired', ['expired', 'requestExpired']],
]);

/** A stored answer for display. */
export interface ShownAnswer {
  /** `answered`, `skipped` or `expired`. */
  readonly state: string;
  /** The user's own text, or a text of the interface for what was chosen or skipped. */
  readonly answer: string | ContentText;
}

/** Finds the activity of a request in the content of a message. */
export function findRequestActivity(
  { parts }: Message,
  { key: request }: PartOf<'input-request'>,
): Request | undefined {
  for (const key of parts.children(ACTIVITY)) {
    const part = parts.get(key);
    if (part?.kind === 'request-activity' && part.part === request) return part;
  }
  return undefined;
}

/**
 * Describes the answer in the content of a message, else that in its activity. An answer that the schema in the activity marks as secret is
 * not shown.
 */
export function describeAnswer(
  stored: string | null,
  locale: Locale,
  activity?: Request,
): ShownAnswer {
  const state = 'answered';
  const known = stored ?? activity?.answer ?? null;
  const value = known === null ? null : parseJson(known);
  const fields = new Map(Object.entries(Object(value) as Readonly<Record<string, unknown>>));
  const noAnswer = NO_ANSWER.get(fields.get('type'));
  if (noAnswer) return { state: noAnswer[0], answer: locale.text(noAnswer[1]) };
  if (known === null || hasSecret(activity?.schema))
    return { state, answer: locale.text('requestAnswered') };
  if (typeof value !== 'object' || value === null)
    return { state, answer: contentText(known, locale) };
  const input: unknown = fields.has('input') ? fields.get('input') : value;
  if (typeof input === 'boolean') return { state, answer: locale.text(input ? 'yes' : 'no') };
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { state, answer: contentText(text, locale) };
}
