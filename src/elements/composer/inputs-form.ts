import { html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { element } from '../../dom/element.js';
import { renderContentText } from '../../message/content-lang.js';
import { renderIcon } from '../../message/icons.js';
import type { FormQuestion } from '../../message/request/text-form.js';
import type { Json } from '../../model/json.js';
import { lazyViews } from '../transcript/lazy-views.js';
import type { ComposerHost } from './composer-options.js';
import type { OptionValues } from './option-values.js';

/** The option that contains the inputs of the agent. */
export interface InputsOption {
  readonly name: string;
  /** Its JSON Schema: an object with `properties`. */
  readonly schema: { readonly [keyword: string]: Json };
}

/** Loads the form of input requests, which has the same kinds of fields. Resolves to a function that creates one. */
const loadForm = async () => (await lazyViews.load()).loadAnswerForm();

type CreateForm = Awaited<ReturnType<typeof loadForm>>;

/**
 * A form for the inputs that an agent declares, above the message field: open until the first message, then collapsed to one line. Its
 * values are sent with each message of the thread. Changes take effect without a button.
 */
export class InputsForm {
  readonly node = element('div');
  readonly #host: ComposerHost;
  readonly #values: OptionValues;
  readonly #errorId: string;
  #option: InputsOption | null = null;
  #create: CreateForm | undefined;
  #form: ReturnType<CreateForm> | undefined;
  /** Whether `update` has requested the form, which it does once. After a failure, `validate` requests it again. */
  #isRequested = false;
  /** The revision of the values that the fields were created with. */
  #shownRevision = 0;
  #isOpen = false;
  /** Whether the thread had messages at the last update. */
  #hasMessages: boolean | undefined;
  #error = '';

  constructor(host: ComposerHost, values: OptionValues) {
    this.#host = host;
    this.#values = values;
    this.#errorId = host.context.createId();
  }

  /** Renders the form for an option; nothing for null. */
  update(option: InputsOption | null): void {
    this.#option = option;
    if (option && !this.#isRequested) {
      this.#isRequested = true;
      this.#load().catch(this.#host.context.report);
    }
    const { controller } = this.#host;
    const hasMessages = (controller?.thread?.messages.size ?? 0) > 0;
    if (this.#shownRevision !== this.#values.inputsRevision) {
      this.#shownRevision = this.#values.inputsRevision;
      this.#form = this.#create?.();
      this.#error = '';
      this.#hasMessages = undefined;
    }
    if (hasMessages !== this.#hasMessages) this.#isOpen = !hasMessages;
    this.#hasMessages = hasMessages;
    this.#render();
  }

  /**
   * Reads the fields, once the form is loaded. Shows the errors and resolves to false when a value is missing or invalid. Rejects when the
   * form cannot be loaded and a required value is missing.
   */
  async validate(): Promise<boolean> {
    if (this.#option && !this.#create) {
      try {
        await this.#load();
      } catch (error) {
        if (this.#isComplete) return true;
        throw error;
      }
    }
    const fields = this.#fields;
    const question = this.#question;
    if (!fields || !question || !this.#form) return true;
    const result = this.#form.read(fields, question, this.#host.context.locale);
    this.#error = 'error' in result ? result.error : '';
    if ('error' in result) this.#isOpen = true;
    else this.#choose(result.answer);
    this.#render();
    if ('error' in result) this.#form.focus(fields);
    return 'answer' in result;
  }

  get #fields(): HTMLFormElement | null {
    return this.node.querySelector('form');
  }

  /**
   * The inputs as the question of a request: their schema, with the current values as defaults. The level is `tool`, because the answer to an
   * agent is a text.
   */
  get #question(): FormQuestion | null {
    const { name, schema } = this.#option ?? {};
    if (name === undefined || !schema) return null;
    const value = this.#values.get(name);
    return {
      level: 'tool',
      inputTypes: [],
      options: null,
      schema: value === undefined ? schema : { ...schema, default: value },
    };
  }

  /** Whether there is a value, which may be a default, for each required input. */
  get #isComplete(): boolean {
    const { name = '', schema } = this.#option ?? {};
    const required = schema?.['required'];
    const values = Object(this.#values.get(name) ?? schema?.['default']) as object;
    return (
      !Array.isArray(required) || required.every((one) => Object.hasOwn(values, one as string))
    );
  }

  async #load(): Promise<void> {
    const create = await loadForm();
    if (this.#create) return;
    this.#create = create;
    this.#form = create();
    this.update(this.#option);
  }

  #render(): void {
    const question = this.#question;
    const { locale } = this.#host.context;
    const chosen = this.#values.get(this.#option?.name ?? '');
    const values = Object.values(Object(chosen) as { readonly [name: string]: Json });
    const summary = values.filter((value) => typeof value !== 'object').join(' · ');
    render(
      question && this.#form
        ? keyed(
            this.#shownRevision,
            html`<details
              class="inputs"
              part="inputs"
              .open=${this.#isOpen}
              @toggle=${this.#handleToggle}
            >
              <summary>
                ${renderIcon('chevron')}<span>${locale.text('inputs')}</span>
                <span class="meta"
                  >${this.#isOpen ? nothing : renderContentText(summary, locale)}</span
                >
              </summary>
              <form novalidate @submit=${this.#handleSubmit} @change=${this.#handleChange}>
                ${this.#form.render(question, locale, this.#errorId)}
                <p class="error-text" id=${this.#errorId} role="alert">${this.#error}</p>
              </form>
            </details>`,
          )
        : nothing,
      this.node,
    );
  }

  /** Stores the values of the fields; removes them when they equal the defaults. */
  #choose(answer: object): void {
    const { name, schema } = this.#option ?? {};
    const { value } = answer as { readonly value?: Json };
    if (name === undefined || typeof value !== 'object' || value === null) return;
    const [before, initial] = [this.#values.get(name), schema?.['default'] ?? {}];
    const chosen = JSON.stringify(value) === JSON.stringify(initial) ? undefined : value;
    if (JSON.stringify(chosen) !== JSON.stringify(before)) this.#values.set(name, chosen);
  }

  readonly #handleToggle = ({ currentTarget }: Event): void => {
    const { open } = currentTarget as HTMLDetailsElement;
    if (open === this.#isOpen) return;
    this.#isOpen = open;
    this.#render();
  };

  /**
   * Stores valid values immediately. Errors are shown only when the user sends, so a new form object reads the values here: `read` records
   * the errors in the object.
   */
  readonly #handleChange = (): void => {
    const fields = this.#fields;
    const question = this.#question;
    if (!fields || !question) return;
    const result = this.#create?.().read(fields, question, this.#host.context.locale);
    if (result && 'answer' in result) this.#choose(result.answer);
  };

  /** Prevents Enter in a single-line field from submitting the form, which would leave the page. */
  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
  };
}
