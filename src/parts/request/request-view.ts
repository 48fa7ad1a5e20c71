import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import type { StringName } from '../../locales/locale.js';
import type { PartOf } from '../../model/part.js';
import { DrawnView } from '../drawn-view.js';
import { explainError } from '../explain-error.js';
import { renderLine } from '../fold-view.js';
import { renderIcon } from '../icons.js';
import type { Answer, MessageScope } from '../part-view.js';
import { parseJson } from '../tool/json-tree.js';
import { nameTool } from '../tool/tool-words.js';
import { readAnswer, renderFields } from './request-form.js';

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
export class RequestView extends DrawnView<'input-request' | 'request-activity'> {
  readonly #id: string;
  #complaint = '';
  #busy = false;
  /** What was answered here, until the model says so. */
  #given = '';

  constructor(part: PartOf<'input-request' | 'request-activity'>, scope: MessageScope) {
    super(part, scope, element('section', 'request'), 'request');
    this.#id = scope.context.createId();
    this.draw();
  }

  /** Puts the focus into the form. */
  focus(): void {
    this.node.scrollIntoView({ block: 'nearest' });
    this.node.querySelector<HTMLElement>('textarea, input')?.focus({ preventScroll: true });
  }

  protected override render(): void {
    const request = this.activity('request-activity');
    const state = this.#stateOf(request);
    this.node.dataset['state'] = state;
    this.tick(state === 'armed' && request?.deadline != null);
    render(
      state === 'answered' ? this.#renderAnswered() : this.#renderQuestion(state, request),
      this.node,
    );
  }

  #renderQuestion(state: string, request: Request | undefined): TemplateResult {
    const { locale } = this.scope.context;
    const tool = request?.toolName;
    const about = tool
      ? locale.text('requestOf', { tool: nameTool(tool, locale) })
      : locale.text('request');
    const note = NOTES[state];
    return html`<p class="meta">${renderIcon('question')} ${about}</p>
      <h3 class="question" dir="auto">${this.part.prompt}</h3>
      ${state === 'armed' && request ? this.#renderForm(request) : nothing}
      ${note ? html`<p class="meta">${locale.text(note)}</p>` : nothing}`;
  }

  #renderForm(request: Request): TemplateResult {
    const { locale, clock } = this.scope.context;
    const { deadline } = request;
    const left = Math.ceil(((deadline ?? 0) - clock.now()) / 1000) * 1000;
    // Not `disabled`: the button would lose the focus of someone who has just pressed it.
    const busy = this.#busy;
    return html`<form novalidate @submit=${this.#handleSubmit} aria-busy=${busy}>
      ${renderFields(request, locale, this.#id, this.#complaint)}
      <p class="complaint" id=${this.#id} role="alert">${this.#complaint}</p>
      <div class="buttons">
        <button class="primary" aria-disabled=${busy}>${locale.text('requestSend')}</button>
        <button class="quiet" type="button" aria-disabled=${busy} @click=${this.#handleDecline}>
          ${locale.text('requestDecline')}
        </button>
        ${
          deadline === null
            ? nothing
            : html`<span class="meta"
                >${locale.text('requestExpires', { time: locale.duration(left) })}</span
              >`
        }
      </div>
    </form>`;
  }

  #renderAnswered(): TemplateResult {
    const { prompt } = this.part;
    const answer = this.#answerText();
    const words = {
      hidden: this.scope.context.locale.text('requestAnswered'),
      title: prompt,
      status: answer,
    };
    return html`<details class="fold">
      <summary>${renderLine({ state: 'answered', words })}</summary>
      <div class="content">
        <p dir="auto">${prompt}</p>
        <p dir="auto">${answer}</p>
      </div>
    </details>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const request = this.activity('request-activity');
    const form = event.currentTarget as HTMLFormElement;
    if (request) void this.#provide(readAnswer(form, request, this.scope.context.locale));
  };

  readonly #handleDecline = (): void => {
    const text = this.scope.context.locale.text('requestDeclineSentence');
    void this.#provide({ type: 'declined', text });
  };

  /** Sends an answer, or says what keeps it from being one. */
  async #provide(answer: Answer | string): Promise<void> {
    const { context, message } = this.scope;
    const request = this.activity('request-activity');
    if (!request || this.#busy) return;
    this.#busy = typeof answer !== 'string';
    this.#complaint = '';
    this.draw();
    try {
      if (typeof answer === 'string') this.#complaint = answer;
      else {
        await context.acts.provideInput?.(message.key, request.key, answer);
        this.#given = print(answer);
      }
    } catch (error) {
      this.#complaint = explainError(error, context.locale);
    }
    this.#busy = false;
    this.draw();
    if (typeof answer === 'string') this.focus();
  }

  #stateOf(request: Request | undefined): string {
    const { part, scope } = this;
    const { acts, clock } = scope.context;
    if (part.kind === 'input-request' && part.answer !== null) return 'answered';
    if (request?.state !== 'armed') return request?.state ?? 'text';
    if (acts.isTaken?.(scope.message.key, request.key)) return 'taken';
    if (request.deadline !== null && request.deadline <= clock.now()) return 'expired';
    return acts.provideInput ? 'armed' : 'text';
  }

  #answerText(): string {
    const { part, scope } = this;
    const { locale } = scope.context;
    const stored = part.kind === 'input-request' ? part.answer : null;
    if (stored === null) return this.#given || locale.text('requestAnswered');
    const value = parseJson(stored);
    if (typeof value !== 'object' || value === null) return stored;
    const fields = new Map(Object.entries(value));
    if (fields.get('type') === 'declined') return locale.text('requestDeclined');
    const input: unknown = fields.get('input') ?? value;
    return typeof input === 'string' ? input : JSON.stringify(input);
  }
}

function print(answer: Answer): string {
  if (answer.type === 'file') return answer.file.name;
  return answer.type === 'json' ? JSON.stringify(answer.value) : answer.text;
}
