import type { LitElement, ReactiveController } from 'lit';
import type { InputAnswer } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { isUbikError, type UbikError } from '../../errors.js';
import { UbikInputProvidedEvent, UbikInputProvideEvent } from '../../events/index.js';
import { haveScriptsRun, whenScriptsHaveRun } from '../../dom/page-scripts.js';
import { warnOnce } from '../../dom/warn-once.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { addElementKeyboardBehaviour } from '../keyboard/lazy-keyboard.js';
import type { ElementContext } from './view-context.js';
import { ConnectedElements } from './connected-elements.js';
import type { ConnectedHost } from './connected-host.js';
import { onProvider, requestController, type ControllerCallback } from './context-protocol.js';
import { describeAnswer, dispatchError } from './controller-events.js';
import { ElementActions } from './element-actions.js';

/** An element with a `controller` property. */
export type ConnectedElement = LitElement & { readonly controller: StreamController | null };

/** Callbacks of an element for its connection. */
export interface ConnectionHooks {
  /**
   * Finds the controller instead of the `controller` property and the enclosing element. Called after each update. When it returns null, the
   * element stays connected.
   */
  readonly find?: () => StreamController | null;
  /**
   * Called when another controller was connected, or when changes were missed while the element was disconnected: render everything. Null
   * when there is no controller any more: render nothing.
   */
  readonly onConnect: (controller: StreamController | null) => void;
  /** Called for a change of the shown thread. By default the element is updated, see {@link ControllerConnection.scheduleUpdate}. */
  readonly onChange?: (change: Change) => void;
  /** Called for a notice of the controller, after its DOM event. By default the element is updated. */
  readonly onNotice?: (notice: ControllerNotice) => void;
  /** Called with the error of a failed action, unless the caller of `attempt` handles it. By default nothing is shown. */
  readonly onError?: (error: UbikError) => void;
  /** Wraps the sending of an answer to a request, for example to move the focus afterwards. */
  readonly wrapInput?: (provide: () => Promise<boolean>) => Promise<boolean>;
  /** Returns the reason why a text cannot be sent, as a sentence. By default, the other elements of the controller decide. */
  readonly validateMessage?: (text: string) => string;
  /** Scrolls a message into view and focuses it. */
  readonly focusMessage?: (message: Key) => void;
}

/** `validateMessage` of the elements that have it. */
const validators = new WeakMap<HTMLElement, (text: string) => string>();

/**
 * Connects an element to a controller: finds it (the `controller` property, else that of the enclosing element, by the context protocol),
 * retains and observes it while the element is in the document, and performs the user's actions with their events.
 *
 * Looks for a controller after each update of the element, because another one may have been set or provided. Adds the actions to the
 * context of the views.
 */
export class ControllerConnection<E extends ConnectedElement = ConnectedElement>
  implements ConnectedHost<E>, ReactiveController
{
  readonly element: E;
  readonly context: ElementContext;
  readonly #hooks: ConnectionHooks;
  #controller: StreamController | null = null;
  /** Revision of the thread when the element last disconnected from its controller. */
  #revision: number | undefined;
  #disconnect: (() => void) | undefined;
  /** The controller of the enclosing element. */
  #provided: StreamController | undefined;
  #unsubscribeContext: (() => void) | undefined;
  #listeners = new AbortController();
  #handleProvided: ControllerCallback = () => undefined;

  constructor(element: E, context: ElementContext, hooks: ConnectionHooks) {
    this.element = element;
    this.context = context;
    this.#hooks = hooks;
    if (hooks.validateMessage) validators.set(element, hooks.validateMessage);
    context.actions = new ElementActions(this);
    element.addController(this);
  }

  get controller(): StreamController | null {
    return this.#controller;
  }

  get isRetained(): boolean {
    return this.#disconnect !== undefined;
  }

  readonly requestUpdate = (): void => {
    this.element.requestUpdate();
  };

  /** Updates the element in the next frame. Ignores appended text, because the message renders it without the element. */
  scheduleUpdate(change: Change): void {
    if (change.type !== 'text') this.context.frames.schedule(this.requestUpdate);
  }

  async performAction(
    before: readonly Event[],
    run: () => Promise<unknown>,
    after?: () => Event,
  ): Promise<boolean> {
    if (!before.every((event) => this.element.dispatchEvent(event))) return false;
    try {
      await run();
    } catch (error) {
      if (isUbikError(error) && error.code !== 'aborted') dispatchError(this.element, error);
      throw error;
    }
    if (after) this.element.dispatchEvent(after());
    return true;
  }

  async attempt(
    action: Promise<unknown> | undefined,
    onError = this.#hooks.onError,
  ): Promise<boolean> {
    try {
      return (await action) !== false;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') onError?.(error);
      return false;
    }
  }

  async provideInput(
    message: Key,
    request: Key,
    answer: InputAnswer,
    controller = this.#controller,
  ): Promise<boolean> {
    const detail = describeAnswer(controller, message, request, answer);
    const provide = (): Promise<boolean> =>
      this.performAction(
        [new UbikInputProvideEvent(detail)],
        async () => controller?.provideInput(message, request, answer),
        () => new UbikInputProvidedEvent(detail),
      );
    const { wrapInput } = this.#hooks;
    return wrapInput ? wrapInput(provide) : provide();
  }

  isHandledByPage(message: Key, request: Key): boolean {
    return (
      this.#controller !== null &&
      ConnectedElements.of(this.#controller).isHandledByPage(message, request)
    );
  }

  validateMessage(text: string): string {
    const elements = validators.has(this.element) ? [this.element] : this.#elements;
    for (const element of elements) {
      const reason = validators.get(element)?.(text);
      if (reason) return reason;
    }
    return '';
  }

  focusMessage(message: Key): void {
    this.#hooks.focusMessage?.(message);
  }

  hostConnected(): void {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    // A new function for each connection, because a provider may respond after the element was moved out of it.
    this.#handleProvided = (controller, unsubscribe) => {
      if (signal.aborted) {
        unsubscribe?.();
        return;
      }
      this.#unsubscribeContext = unsubscribe;
      this.#provided = controller;
      this.requestUpdate();
    };
    onProvider(this.requestUpdate, signal);
    addElementKeyboardBehaviour(this.element, () => this.#elements, signal);
    this.requestUpdate();
  }

  hostUpdated(): void {
    if (!this.element.isConnected) return;
    const found = this.#hooks.find ? this.#hooks.find() : this.#find();
    if (found) this.#connect(found);
    else if (this.#controller && !this.#hooks.find) {
      this.#disconnect?.();
      this.#controller = null;
      this.#hooks.onConnect(null);
    }
  }

  hostDisconnected(): void {
    this.#listeners.abort();
    this.#unsubscribeContext?.();
    this.#provided = undefined;
    this.#disconnect?.();
  }

  /** All elements connected to the same controller. */
  get #elements(): ReadonlySet<HTMLElement> {
    return this.#controller
      ? ConnectedElements.of(this.#controller).elements
      : new Set([this.element]);
  }

  /** Returns the controller that was set, else that of the enclosing element, which may be provided later. */
  #find(): StreamController | null {
    const { controller } = this.element;
    const hasProvider =
      !controller && !this.#provided && requestController(this.element, this.#handleProvided);
    const found = controller ?? this.#provided ?? null;
    // No warning for an element that was connected before: the host page has removed its controller on purpose.
    const isNew = (this.#controller ?? this.#revision) === undefined;
    if (!found && !hasProvider && isNew) this.#warnMissing();
    return found;
  }

  /** Warns that there is no controller, once no script of the host page can provide one any more. */
  #warnMissing(): void {
    if (!haveScriptsRun()) void whenScriptsHaveRun().then(this.requestUpdate);
    // The content of `renderTranscript` needs no controller.
    else if (!this.element.renderRoot.querySelector('[data-static]')) {
      warnOnce(
        `<${this.element.localName}> has no controller: put it inside <ubik-chat>, or set its "controller".`,
      );
    }
  }

  #connect(controller: StreamController): void {
    if (this.isRetained && controller === this.#controller) return;
    this.#disconnect?.();
    const elements = ConnectedElements.of(controller);
    const declineText = (): string => this.context.locale.text('requestDeclineSentence');
    const { onChange = this.scheduleUpdate.bind(this), onNotice = this.requestUpdate } =
      this.#hooks;
    const cleanups = [
      elements.add(this.element),
      controller.retain(),
      controller.onNotice((notice) => {
        elements.handleNotice(this.element, notice, declineText);
        onNotice(notice);
      }),
      controller.subscribe({ thread: true }, (change) => {
        if (change.type === 'thread') elements.offerRequests(this.element, declineText);
        onChange(change);
      }),
    ];
    this.#disconnect = () => {
      this.#revision = controller.revision({ thread: true });
      for (const cleanup of cleanups) cleanup();
      this.#disconnect = undefined;
    };
    const isOutdated =
      controller !== this.#controller || this.#revision !== controller.revision({ thread: true });
    this.#controller = controller;
    // Before `onConnect`, because the views show a form only for requests that the page does not answer.
    elements.offerRequests(this.element, declineText);
    if (isOutdated) this.#hooks.onConnect(controller);
  }
}
