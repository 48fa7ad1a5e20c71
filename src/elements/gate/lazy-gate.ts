import type { LitElement } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { closeDialogs } from '../../dom/flat-tree.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { ConnectedElements } from '../base/connected-elements.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { GateView } from './gate-view.js';
import type { ChatGate } from './gate-types.js';

/** An element that may have a gate. */
export type GateHost = ConnectedHost<
  LitElement & {
    readonly gate: ChatGate | string | null;
    readonly controller: StreamController | null;
    readonly storageKey: string;
    readonly service: string;
    readonly baseUrl: string;
    readonly userKey: unknown;
  }
>;

/** Matches a part of the chat that the gate hides and that contains the focus. */
const FOCUSED = ':is(.transcript, .composer, .side, .side-toggles > button):focus-within';

/** Matches elements that show parts of the conversation outside of the messages. Each closes when the event `dismiss` is dispatched on it. */
const DETAILS = '.details-area, .message-menu, .cite-card';

const lazyGateView = createLazyModule(() => import('./gate-view.js'));

/** The gate of a chat, which the user has to pass before the chat connects. Its code is loaded when it is first rendered. */
export class LazyGate {
  readonly #host: GateHost;
  readonly #getStorageKey: () => string;
  readonly #onClosed: () => void;
  #view: GateView | undefined;
  #isLoading = false;
  #isFocusExpected = false;
  /** Whether the code of the gate could not be loaded. The gate then stays closed. */
  hasFailed = false;

  /** `onClosed` is called before the gate hides the conversation. */
  constructor(host: GateHost, getStorageKey: () => string, onClosed: () => void) {
    this.#host = host;
    this.#getStorageKey = getStorageKey;
    this.#onClosed = onClosed;
  }

  /** Whether there is a gate that the user has not passed, as far as is known. */
  get isClosed(): boolean {
    return this.#host.element.gate != null && !this.#view?.isPassed;
  }

  /**
   * Renders the gate; nothing while it is loading, or while it is not known whether the user has passed it. Before the gate hides the
   * conversation, closes the details and dialogs that show parts of it, and moves the focus from the hidden parts to the gate.
   */
  render(): unknown {
    if (!this.#view && !this.hasFailed) void this.load();
    const content = this.#view?.render();
    const { renderRoot } = this.#host.element;
    // The attribute of the previous rendering: without it, the conversation is not hidden yet.
    if (!renderRoot.querySelector('[data-gated]')) this.#closeDetails();
    if (renderRoot.querySelector(FOCUSED)) this.focus();
    return content;
  }

  /** Renders the text of the gate again after the language or the content options have changed. */
  redraw(): void {
    this.#view?.redraw();
  }

  /** Focuses the gate, now or as soon as it is shown. Returns whether the gate is closed. */
  focus(): boolean {
    this.#isFocusExpected = this.isClosed;
    if (this.#isFocusExpected) this.#view?.focus();
    return this.#isFocusExpected;
  }

  /** Loads the code of the gate, for the first time or after a failure. */
  async load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { context, requestUpdate } = this.#host;
    const loading = lazyGateView.load().then(({ GateView }) => {
      this.#view = new GateView(this.#host, this.#getStorageKey);
      if (this.#isFocusExpected) this.#view.focus();
    });
    this.hasFailed = !(await this.#host.attempt(loading, context.report));
    this.#isLoading = false;
    requestUpdate();
  }

  /** Closes the details and dialogs of all elements of the chat, because a modal dialog would make the gate inert. */
  #closeDetails(): void {
    this.#onClosed();
    const { controller } = this.#host;
    for (const element of controller ? ConnectedElements.of(controller).elements : []) {
      for (const node of element.shadowRoot?.querySelectorAll(DETAILS) ?? [])
        node.dispatchEvent(new Event('dismiss'));
      closeDialogs(element);
    }
  }
}
