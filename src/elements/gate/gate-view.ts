import { css, html, nothing, type TemplateResult } from 'lit';
import type { HostStorage } from '../../controller/controller-types.js';
import { openPageStorage } from '../../controller/page-storage.js';
import { readUserKey } from '../../controller/shared-controllers.js';
import { element } from '../../dom/element.js';
import { UbikGatePassedEvent, UbikGatePassEvent, type GateValues } from '../../events/index.js';
import { gateStrings } from '../../locales/en-gate.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { langOfContent, langOfInterface } from '../../message/content-lang.js';
import { explainCode } from '../../message/explain-error.js';
import type { MarkdownBody } from '../../message/part-view.js';
import type { FormQuestion, RequestForm } from '../../message/request/text-form.js';
import type { Json } from '../../model/json.js';
import { findStorageScope } from '../chat/storage-key.js';
import { adoptSheets } from '../styles/styles.js';
import { lazyViews } from '../transcript/lazy-views.js';
import type { ChatGate } from './gate-types.js';
import type { GateHost } from './lazy-gate.js';

addDefaultStrings(gateStrings);

const gateStyles = css`
  .gate {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
    contain: inline-size;
    &:focus-visible {
      outline-offset: -2px;
    }
  }
  .gate-column,
  .gate form {
    display: grid;
    gap: var(--_ubik-rem);
  }
  .gate-column {
    min-height: 100%;
    max-width: calc(34 * var(--_ubik-rem));
    margin-inline: auto;
    padding: calc(1.5 * var(--_ubik-rem)) var(--_ubik-rem);
    align-content: safe center;
  }
  .gate h2 {
    font-size: calc(1.375 * var(--_ubik-rem));
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  .gate .entry label:not(.choice) > :is(input, textarea) {
    width: 100%;
    margin-block-start: calc(0.25 * var(--_ubik-rem));
  }
`;

/** Key in `passedGates` for chats whose host page has set no `controller`. */
const PAGE = {};

/**
 * Names of the gates that were passed on this page, by the `controller` that the host page has set. Not kept in the element, because a
 * framework may replace the element.
 */
const passedGates = new WeakMap<object, Set<string>>();

/** Loads the form of input requests, which has the same kinds of fields as a gate. */
async function loadForm(): Promise<RequestForm> {
  const { loadAnswerForm } = await lazyViews.load();
  return (await loadAnswerForm())();
}

/** Shows the gate of a chat: what the user has to accept or fill in before the chat connects. */
export class GateView {
  readonly #host: GateHost;
  readonly #getStorageKey: () => string;
  readonly #errorId: string;
  readonly #text = element('div', 'text');
  readonly #body: MarkdownBody;
  #shownText = '';
  /** The name of the gate about which the storage was asked. */
  #asked = '';
  /** Whether the storage has answered, and the fields, if they are needed, are loaded or could not be loaded. */
  #isReady = false;
  #form: RequestForm | undefined;
  #error = '';
  #isFocusExpected = false;

  constructor(host: GateHost, getStorageKey: () => string) {
    this.#host = host;
    this.#getStorageKey = getStorageKey;
    const { context, element: chat } = host;
    this.#errorId = context.createId();
    this.#text.dir = 'auto';
    this.#body = context.createMarkdown(this.#text, () => null);
    adoptSheets(chat.renderRoot, [gateStyles]);
  }

  /** Whether the user has passed the gate, as far as is known. */
  get isPassed(): boolean {
    return this.#passed.has(this.#name);
  }

  /** Renders the gate; nothing while it is not known whether the user has passed it. */
  render(): unknown {
    if (this.#asked !== this.#name) void this.#ask(this.#name);
    if (!this.#isReady) return nothing;
    const { locale } = this.#host.context;
    const { title = '' } = this.#gate;
    return html`<section
      class="gate"
      part="gate"
      tabindex="-1"
      aria-label=${title || locale.text('gateTitle')}
      @submit=${this.#handleSubmit}
    >
      <div class="gate-column">
        <slot name="gate" lang=${langOfContent(locale)}>${this.#renderForm()}</slot>
      </div>
    </section>`;
  }

  /** Renders the text again after the language or the content options have changed. */
  redraw(): void {
    this.#body.redraw();
  }

  /** Focuses the gate, now or as soon as it is shown. */
  focus(): void {
    this.#isFocusExpected = !this.#isReady;
    if (this.#isReady) void this.#host.element.updateComplete.then(() => this.#section?.focus());
  }

  get #gate(): ChatGate {
    const { gate } = this.#host.element;
    return typeof gate === 'string' ? { version: gate } : (gate ?? {});
  }

  get #section(): HTMLElement | null {
    return this.#host.element.renderRoot.querySelector('.gate');
  }

  /** Identifies the gate among those of the page. */
  get #name(): string {
    const { service, baseUrl, userKey } = this.#host.element;
    return JSON.stringify([
      service,
      baseUrl,
      readUserKey(userKey),
      this.#storageKey,
      this.#gate.version ?? '',
    ]);
  }

  get #storageKey(): string {
    const { controller, storageKey } = this.#host.element;
    return controller ? storageKey : this.#getStorageKey();
  }

  /** Name of the storage entry that contains the version of the gate that was passed last. */
  get #recordName(): string {
    return `gate ${this.#storageKey}`;
  }

  get #passed(): Set<string> {
    const owner = this.#host.element.controller ?? PAGE;
    const passed = passedGates.get(owner) ?? new Set<string>();
    passedGates.set(owner, passed);
    return passed;
  }

  /** The storage of the page's controller, else the one that the controller of the chat will have. */
  get #storage(): HostStorage {
    const { element: chat } = this.#host;
    return (
      chat.controller?.storage ??
      openPageStorage({
        storageScope: findStorageScope(chat),
        userKey: readUserKey(chat.userKey),
      })
    );
  }

  /** The fields in the shape of an input request, because the form for input requests renders and reads them; null without fields. */
  get #question(): FormQuestion | null {
    const { schema } = this.#gate;
    if (!schema) return null;
    return {
      level: 'tool',
      inputTypes: [],
      options: null,
      schema,
    };
  }

  /** Asks the storage whether the user has passed the gate, and loads the fields. */
  async #ask(name: string): Promise<void> {
    this.#asked = name;
    this.#isReady = false;
    const { version = '', schema } = this.#gate;
    const { context, requestUpdate } = this.#host;
    const load = async (): Promise<void> => {
      // A gate without a version is not stored when it is passed.
      const stored = version === '' ? null : await this.#storage.get(this.#recordName);
      if (stored === version) this.#passed.add(name);
      else if (schema) this.#form ??= await loadForm();
    };
    const isLoaded = await this.#host.attempt(load(), context.report);
    if (this.#asked !== name) return;
    this.#isReady = true;
    // A gate whose fields could not be loaded cannot be passed; a press of its button loads them again.
    this.#error = isLoaded ? '' : explainCode('load-failed', context.locale);
    requestUpdate();
    if (!this.#isFocusExpected) return;
    this.#isFocusExpected = false;
    // Focuses the gate, or the message field if the user has passed the gate before.
    void this.#host.element.updateComplete.then(() => this.#host.element.focus());
  }

  #renderForm(): TemplateResult {
    const { locale } = this.#host.context;
    const { title = '', text = '', accept = '' } = this.#gate;
    const question = this.#question;
    this.#updateText(text);
    return html`<form novalidate>
      ${title ? html`<h2 dir="auto">${title}</h2>` : nothing} ${text ? this.#text : nothing}
      ${question && this.#form?.render(question, locale, this.#errorId)}
      <p class="error-text" id=${this.#errorId} role="alert">${this.#error}</p>
      <div class="buttons">
        <button class="primary">
          ${
            accept
              ? html`<bdi>${accept}</bdi>`
              : html`<span lang=${langOfInterface(locale)}>${locale.text('gateAccept')}</span>`
          }
        </button>
      </div>
    </form>`;
  }

  #updateText(text: string): void {
    if (text === this.#shownText) return;
    this.#shownText = text;
    this.#body.truncate(0);
    this.#body.append(text);
    void this.#body.end();
  }

  /**
   * Reads the values of the form. Returns null, and shows the error, when a value is missing or invalid. Also returns null when the fields
   * could not be loaded; the next rendering loads them again.
   */
  #read(form: HTMLFormElement): GateValues | null {
    const { locale } = this.#host.context;
    if (!this.#section?.contains(form)) return readPageForm(form);
    const question = this.#question;
    if (!question) return {};
    if (!this.#form) {
      this.#asked = '';
      return null;
    }
    const result = this.#form.read(form, question, locale);
    this.#error = 'error' in result ? result.error : '';
    if ('error' in result) {
      const gateForm = this.#form;
      void this.#host.element.updateComplete.then(() => gateForm.focus(form));
      return null;
    }
    const { value } = result.answer as { readonly value?: Json };
    return Object(value) as GateValues;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    // A host page that handles its own form prevents the default action.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { element: chat, requestUpdate } = this.#host;
    const values = this.#read(event.target as HTMLFormElement);
    requestUpdate();
    if (!values) return;
    const { version = '' } = this.#gate;
    const detail = { version, values };
    if (!chat.dispatchEvent(new UbikGatePassEvent(detail))) return;
    const hadFocus = this.#section?.matches(':focus-within');
    if (version !== '') this.#storage.set(this.#recordName, version);
    this.#passed.add(this.#name);
    // Dispatched before the chat connects, so that the host page can use the values to connect it.
    chat.dispatchEvent(new UbikGatePassedEvent(detail));
    if (hadFocus) void chat.updateComplete.then(() => chat.focus());
  };
}

/**
 * Reads the texts of a form of the host page. A name with several texts has a list of them; files are left out, and a name with only files
 * has an empty text.
 */
function readPageForm(form: HTMLFormElement): GateValues {
  const data = new FormData(form);
  const entries = Array.from(new Set(data.keys()), (name) => {
    const texts = data.getAll(name).filter((value) => typeof value === 'string');
    return [name, texts.length > 1 ? texts : (texts[0] ?? '')] as const;
  });
  return Object.fromEntries(entries);
}
