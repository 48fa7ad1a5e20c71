import { html, render, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import type { StringName } from '../../locales/locale.js';
import type { PartOf } from '../../model/part.js';
import { renderForm } from '../buttons.js';
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
    const { text } = this;
    const tool = request?.toolName;
    const asker = tool
      ? text('requestOf', { tool: nameTool(tool, this.context.locale) })
      : text('request');
    const note = NOTES[state];
    return html`<p class="meta">${renderIcon('question')} ${asker}</p>
      <h3 class="question" dir="auto">${this.part.prompt}</h3>
      ${state === 'armed' && request ? this.#renderForm(request) : ''}
      ${note ? html`<p class="meta">${text(note)}</p>` : ''}`;
  }

  #renderForm(request: Request): TemplateResult {
    const { text } = this;
    const { locale, clock } = this.context;
    const { deadline } = request;
    const left = Math.ceil(((deadline ?? 0) - clock.now()) / 1000) * 1000;
    return renderForm(
      {
        name: '',
        send: text('requestSend'),
        leave: text('requestDecline'),
        onSend: this.#handleSubmit,
        onLeave: this.#handleDecline,
        busy: this.#busy,
      },
      html`${renderFields(request, locale, this.#id, this.#complaint)}
        <p class="complaint" id=${this.#id} role="alert">${this.#complaint}</p>`,
      deadline === null
        ? ''
        : html`<span class="meta"
            >${text('requestExpires', { time: locale.duration(left) })}</span
          >`,
    );
  }

  #renderAnswered(): TemplateResult {
    const { prompt } = this.part;
    const answer = this.#answerText();
    const words = {
      hidden: this.text('requestAnswered'),
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
    if (request) void this.#provide(readAnswer(form, request, this.context.locale));
  };

  readonly #handleDecline = (): void => {
    const text = this.text('requestDeclineSentence');
    void this.#provide({ type: 'declined', text });
  };

  /** Sends an answer, or says what keeps it from being one. */
  async #provide(answer: Answer | string): Promise<void> {
    const { context, scope } = this;
    const request = this.activity('request-activity');
    if (!request || this.#busy) return;
    this.#busy = typeof answer !== 'string';
    this.#complaint = '';
    this.draw();
    try {
      if (typeof answer === 'string') this.#complaint = answer;
      else {
        await context.acts.provideInput?.(scope.message.key, request.key, answer);
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
    const { acts, clock } = this.context;
    if (part.kind === 'input-request' && part.answer !== null) return 'answered';
    if (request?.state !== 'armed') return request?.state ?? 'text';
    if (acts.isTaken?.(scope.message.key, request.key)) return 'taken';
    if (request.deadline !== null && request.deadline <= clock.now()) return 'expired';
    return acts.provideInput ? 'armed' : 'text';
  }

  #answerText(): string {
    const { part } = this;
    const stored = part.kind === 'input-request' ? part.answer : null;
    if (stored === null) return this.#given || this.text('requestAnswered');
    const value = parseJson(stored);
    if (typeof value !== 'object' || value === null) return stored;
    const fields = new Map(Object.entries(value));
    if (fields.get('type') === 'declined') return this.text('requestDeclined');
    const input: unknown = fields.get('input') ?? value;
    return typeof input === 'string' ? input : JSON.stringify(input);
  }
}

function print(answer: Answer): string {
  if (answer.type === 'file') return answer.file.name;
  return answer.type === 'json' ? JSON.stringify(answer.value) : answer.text;
}
