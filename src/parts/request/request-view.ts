import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import type { PartOf } from '../../model/part.js';
import { ChromeView } from '../chrome-view.js';
import { explainError } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import type { Answer, MessageScope } from '../part-view.js';
import { parseJson } from '../tool/json-tree.js';
import { nameTool } from '../tool/tool-words.js';
import { readAnswer, renderFields } from './request-form.js';

type Request = PartOf<'request-activity'>;
type State = 'armed' | 'taken' | 'answered' | 'expired' | 'closed' | 'text';

/**
 * A question of the agent or of a tool. The form is there only when events or the server's history have armed it and the host
 * has not taken it over; a question that is only written in a text stays text. Answered: folded to one line.
 */
export class RequestView extends ChromeView<'input-request' | 'request-activity'> {
  override readonly node = element('section', 'request');
  protected override readonly shell = this.node;
  readonly #id: string;
  #complaint = '';
  #busy = false;
  /** What was answered here, until the model says so. */
  #answered: string | null = null;
  #stopTicking: (() => void) | null = null;

  constructor(part: PartOf<'input-request' | 'request-activity'>, scope: MessageScope) {
    super(part, scope);
    this.#id = scope.context.createId();
    this.node.part.add('request');
    this.draw();
  }

  override dispose(): void {
    super.dispose();
    this.#endTicking();
  }

  /** Puts the focus into the form. */
  focus(): void {
    this.node.scrollIntoView({ block: 'nearest' });
    this.node.querySelector<HTMLElement>('textarea, input')?.focus({ preventScroll: true });
  }

  protected override template(): TemplateResult {
    const state = this.#state();
    if (state === 'answered') return this.#renderAnswered();
    const { locale } = this.scope.context;
    const tool = this.#request()?.toolName;
    const about = tool
      ? locale.text('requestOf', { tool: nameTool(tool, locale) })
      : locale.text('request');
    return html`<p class="meta">${renderIcon('question')} ${about}</p>
      <h3 class="question" dir="auto">${this.part.prompt}</h3>
      ${state === 'armed' ? this.#renderForm() : this.#renderNote(state)}`;
  }

  protected override drawn(): void {
    const state = this.#state();
    this.node.dataset['state'] = state;
    const ticks = state === 'armed' && this.#request()?.deadline != null;
    if (ticks) this.#stopTicking ??= this.scope.context.clock.everySecond(this.invalidate);
    else this.#endTicking();
  }

  #endTicking(): void {
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  #renderForm(): TemplateResult {
    const { locale, clock } = this.scope.context;
    const request = this.#request();
    const deadline = request?.deadline ?? null;
    const id = this.#id;
    // Not `disabled`: the button would lose the focus of someone who has just pressed it.
    const busy = this.#busy ? 'true' : 'false';
    return html`<form novalidate @submit=${this.#handleSubmit} aria-busy=${busy}>
      ${request ? renderFields(request, locale, id, this.#complaint) : nothing}
      <p class="complaint" id=${`${id}-error`} role="alert">${this.#complaint}</p>
      <div class="buttons">
        <button class="primary" type="submit" aria-disabled=${busy}>
          ${locale.text('requestSend')}
        </button>
        <button class="quiet" type="button" aria-disabled=${busy} @click=${this.#handleDecline}>
          ${locale.text('requestDecline')}
        </button>
        ${
          deadline === null
            ? nothing
            : html`<span class="meta"
                >${locale.text('requestExpires', {
                  time: locale.duration(Math.ceil((deadline - clock.now()) / 1000) * 1000),
                })}</span
              >`
        }
      </div>
    </form>`;
  }

  #renderNote(state: State): TemplateResult | typeof nothing {
    const { locale } = this.scope.context;
    const words = {
      taken: 'requestElsewhere',
      expired: 'requestExpired',
      closed: 'requestClosed',
    } as const;
    if (state !== 'taken' && state !== 'expired' && state !== 'closed') return nothing;
    return html`<p class="meta">${locale.text(words[state])}</p>`;
  }

  #renderAnswered(): TemplateResult {
    const { locale } = this.scope.context;
    const answer = this.#answerText();
    return html`<details class="fold">
      <summary>
        <span class="glyph">${renderIcon('check')}</span>
        <span class="line">
          <span class="hidden">${locale.text('requestAnswered')}</span>
          <bdi class="title">${this.part.prompt}</bdi> <bdi class="status">${answer}</bdi>
        </span>
        ${renderIcon('chevron')}
      </summary>
      <div class="content">
        <p dir="auto">${this.part.prompt}</p>
        <p dir="auto">${answer}</p>
      </div>
    </details>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const request = this.#request();
    if (!request || this.#busy) return;
    const answer = readAnswer(
      event.currentTarget as HTMLFormElement,
      request,
      this.scope.context.locale,
    );
    if (typeof answer !== 'string') void this.#provide(answer);
    else this.#complain(answer);
  };

  readonly #handleDecline = (): void => {
    void this.#provide({
      type: 'declined',
      text: this.scope.context.locale.text('requestDeclineSentence'),
    });
  };

  async #provide(answer: Answer): Promise<void> {
    const { context, message } = this.scope;
    const request = this.#request();
    if (!request || this.#busy) return;
    this.#busy = true;
    this.#complaint = '';
    this.draw();
    try {
      await context.acts.provideInput?.(message.key, request.key, answer);
      this.#answered = printAnswer(answer);
    } catch (error) {
      this.#complaint = explainError(error, context.locale);
    }
    this.#busy = false;
    this.draw();
  }

  #complain(words: string): void {
    this.#complaint = words;
    this.draw();
    this.node.querySelector<HTMLElement>('textarea, input')?.focus();
  }

  #request(): Request | undefined {
    return this.part.kind === 'request-activity'
      ? this.part
      : this.scope.activityOf(this.part, 'request-activity');
  }

  #state(): State {
    const request = this.#request();
    if (this.#stored() !== null || request?.state === 'answered') return 'answered';
    if (!request) return 'text';
    if (request.state !== 'armed') return request.state;
    const { acts, clock } = this.scope.context;
    if (acts.isTaken?.(this.scope.message.key, request.key)) return 'taken';
    if (request.deadline !== null && request.deadline <= clock.now()) return 'expired';
    return acts.provideInput ? 'armed' : 'text';
  }

  #stored(): string | null {
    return this.part.kind === 'input-request' ? this.part.answer : null;
  }

  #answerText(): string {
    const stored = this.#stored();
    const { locale } = this.scope.context;
    if (stored === null) return this.#answered ?? locale.text('requestAnswered');
    const value = parseJson(stored);
    if (typeof value !== 'object' || value === null) return stored;
    const fields = new Map(Object.entries(value));
    if (fields.get('type') === 'declined') return locale.text('requestDeclined');
    const input: unknown = fields.get('input') ?? value;
    return typeof input === 'string' ? input : JSON.stringify(input);
  }
}

function printAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'json':
      return JSON.stringify(answer.value);
    case 'file':
      return answer.file.name;
    default:
      return answer.text;
  }
}
