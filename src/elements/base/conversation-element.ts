import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { InputAnswer } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { isUbikError, type UbikError } from '../../errors.js';
import { UbikInputProvidedEvent, UbikInputProvideEvent } from '../../events/index.js';
import { haveScriptsRun, whenScriptsHaveRun } from '../../dom/page-scripts.js';
import { warnOnce } from '../../dom/warn-once.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ViewActions } from '../../message/part-view.js';
import { describeAnswer, dispatchError } from './controller-events.js';
import { ConnectedElements } from './connected-elements.js';
import { onProvider, requestController, type ControllerCallback } from './controller-context.js';
import { listenToKeys } from '../keys/element-keys.js';
import type { ConnectedHost } from './connected-host.js';
import { ConversationActions } from './conversation-actions.js';
import { ViewElement } from './view-element.js';

/**
 * An element at a conversation: finds it, holds it while it is in the page, carries out the person's acts with the cancelable event
 * before and the event after each, and tells the page what the agent does.
 */
export abstract class ConversationElement extends ViewElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    messageLink: { attribute: false },
  };

  /** The conversation; by default that of the element around. */
  controller: StreamController | null = null;

  /** Gives the address of a message, which its menu offers to copy; without an address, or without this, it does not. */
  messageLink: ((message: Message) => string) | undefined;

  /** The conversation that is shown. It may have closed while the element is out of the page. */
  protected conversation: StreamController | null = null;
  #version: number | undefined;
  #leave: (() => void) | undefined;
  #around: StreamController | undefined;
  #forget: (() => void) | undefined;
  #presence = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#presence = new AbortController();
    const { signal } = this.#presence;
    onProvider(this.refresh, signal);
    listenToKeys(this, () => this.#members, signal);
    this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#presence.abort();
    this.#forget?.();
    this.#around = undefined;
    this.#leave?.();
  }

  /** Whether the conversation is held: always, while the element is in the page and has one. */
  protected get isHeld(): boolean {
    return this.#leave !== undefined;
  }

  /** Draws the element again, and looks for its conversation where it has none. */
  protected readonly refresh = (): void => {
    this.requestUpdate();
  };

  /** Aborted when the element leaves the page. */
  protected get present(): AbortSignal {
    return this.#presence.signal;
  }

  /** There is another conversation, or some of it was missed: all is to be shown anew. */
  protected abstract connected(conversation: StreamController): void;

  /** The shown thread has changed. */
  protected changed(change: Change): void {
    // A frame gathers many; a piece of text changes nothing around the messages.
    if (change.type !== 'text') this.context.frames.schedule(this.refresh);
  }

  /** The conversation has told something, and the page has heard it. */
  protected noticed(_notice: ControllerNotice): void {
    this.refresh();
  }

  /** The conversation to show: the one given, else that of the element around, also when it comes later. */
  protected find(_changed: PropertyValues): StreamController | null {
    const isAnswered = !this.controller && !this.#around && requestController(this, this.#take);
    const found = this.controller ?? this.#around ?? null;
    if (!found && !isAnswered) this.#miss();
    return found;
  }

  /** Says that there is no conversation, unless a script of the page may still give one. */
  #miss(): void {
    if (!haveScriptsRun()) void whenScriptsHaveRun().then(this.refresh);
    else {
      warnOnce(
        `<${this.localName}> has no conversation: put it inside <ubik-chat>, or set its "controller".`,
      );
    }
  }

  protected override updated(changed: PropertyValues): void {
    const found = this.isConnected ? this.find(changed) : null;
    if (found) this.#join(found);
  }

  protected override get acts(): ViewActions {
    return new ConversationActions(this.host);
  }

  /** This element for what stands in it: reads what is there when it is asked. */
  protected get host(): ConnectedHost<this> {
    const current = (): this => this;
    return {
      element: this,
      get context() {
        return current().context;
      },
      get controller() {
        return current().conversation;
      },
      requestUpdate: () => {
        this.refresh();
      },
      performAction: (...act) => this.act(...act),
      attempt: (...act) => this.attempt(...act),
      provideInput: (...answer) => this.provideInput(...answer),
      isHandledByPage: (...request) => this.isTaken(...request),
      validateMessage: (text) => this.refuse(text),
      focusMessage: (message) => {
        this.leadTo(message);
      },
    };
  }

  /** Leads to a message that is shown, where there are messages. */
  protected leadTo(_message: Key): void {
    // Nothing by default.
  }

  /** Why a text cannot be sent as a message, as a sentence; empty when it can. */
  protected refuse(_text: string): string {
    return '';
  }

  /** Whether the page answers a request in its own way. */
  protected isTaken(message: Key, request: Key): boolean {
    return (
      this.conversation !== null &&
      ConnectedElements.of(this.conversation).isHandledByPage(message, request)
    );
  }

  /**
   * An act of the person: fires the events before it, until the page cancels one; does it; fires the event after it. False when it
   * was cancelled. One that fails tells the page, and whoever asked for it.
   */
  protected async act(
    before: readonly Event[],
    run: () => Promise<unknown>,
    after?: () => Event,
  ): Promise<boolean> {
    if (!before.every((event) => this.dispatchEvent(event))) return false;
    try {
      await run();
    } catch (error) {
      if (isUbikError(error) && error.code !== 'aborted') dispatchError(this, error);
      throw error;
    }
    if (after) this.dispatchEvent(after());
    return true;
  }

  /** Waits for an act. False when it was cancelled, or failed: then `complain` is told, unless the person gave it up. */
  protected async attempt(
    act: Promise<unknown> | undefined,
    complain = (error: UbikError): void => {
      this.complain(error);
    },
  ): Promise<boolean> {
    try {
      return (await act) !== false;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') complain(error);
      return false;
    }
  }

  /** Tells the person that an act has failed. */
  protected complain(_error: UbikError): void {
    // Nothing by default: the page was told.
  }

  /** Answers a request. */
  protected async provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void> {
    const { conversation } = this;
    const detail = describeAnswer(conversation, message, request, answer);
    await this.act(
      [new UbikInputProvideEvent(detail)],
      async () => conversation?.provideInput(message, request, answer),
      () => new UbikInputProvidedEvent(detail),
    );
  }

  /** The elements at the same conversation. */
  get #members(): ReadonlySet<HTMLElement> {
    return this.conversation ? ConnectedElements.of(this.conversation).elements : new Set([this]);
  }

  readonly #take: ControllerCallback = (controller, forget) => {
    if (!this.isConnected) {
      forget?.();
      return;
    }
    this.#forget = forget;
    this.#around = controller;
    this.refresh();
  };

  #join(conversation: StreamController): void {
    if (this.isHeld && conversation === this.conversation) return;
    this.#leave?.();
    const company = ConnectedElements.of(conversation);
    const decline = (): string => this.context.locale.text('requestDeclineSentence');
    const undo = [
      company.add(this),
      conversation.retain(),
      conversation.notices((notice) => {
        company.handleNotice(this, notice, decline);
        this.noticed(notice);
      }),
      conversation.subscribe({ thread: true }, (change) => {
        this.changed(change);
      }),
    ];
    this.#leave = () => {
      this.#version = conversation.version({ thread: true });
      for (const stop of undo) stop();
      this.#leave = undefined;
    };
    const missed =
      conversation !== this.conversation ||
      this.#version !== conversation.version({ thread: true });
    this.conversation = conversation;
    if (missed) this.connected(conversation);
  }
}
