import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { element } from '../dom/element.js';
import type { UbikError } from '../errors.js';
import type { Message } from '../model/message.js';
import type { PartOf } from '../model/part.js';
import type { OnDemandRequestView } from '../message/request/lazy-request.js';
import { listPendingRequests, shownBranch } from '../message/thread-selectors.js';
import { BaseElement } from './base/base-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { lazyViews } from './transcript/lazy-views.js';

/**
 * The pending input requests of the last message of a thread, to be answered outside of the transcript. Shows nothing while there are none;
 * an answered request stays, collapsed, until the next message.
 *
 * It connects to its `controller`, else to that of the enclosing element.
 *
 * @example
 * <ubik-input-request></ubik-input-request>
 *
 * @tagname ubik-input-request
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted a message
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer to a request is sent, except by `respond` and `decline`; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
 * @csspart base - container of all content
 * @csspart request - an input request
 */
export class UbikInputRequest extends BaseElement {
  static override properties: PropertyDeclarations = { controller: { attribute: false } };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;

  readonly #connection = new ControllerConnection(this, this.viewContext, {
    onConnect: () => {
      this.requestUpdate();
    },
  });
  readonly #list = element('div', 'content requests');
  readonly #views = new Map<string, OnDemandRequestView>();
  #message: Message | undefined;
  /** The requests that have caused a load of the views. After a failure, the next request, or being online again, causes another load. */
  readonly #attempted = new Set<string>();

  protected override invalidateContent(): void {
    super.invalidateContent();
    for (const view of this.#views.values()) view.redraw();
  }

  protected override renderContent(): Element {
    const thread = this.#connection.controller?.thread;
    const head = thread?.messages.get(thread.head ?? '');
    const shown = thread?.messages.get(this.#message?.key ?? '');
    // While an answer is being sent, the head is a new message without content. The service may still reject the answer, after which its
    // request can be answered again. So the message with the request stays shown until the answer is accepted.
    const isAnswerPending =
      thread && head?.parts.children(null).length === 0 && listPendingRequests(shown).length > 0;
    const message =
      shown && isAnswerPending && shownBranch(thread, thread.head).includes(shown) ? shown : head;
    // Compares the parts, because messages of two controllers can have the same key.
    if (message?.parts !== this.#message?.parts) this.#clear();
    this.#message = message;
    for (const [key, view] of this.#views) {
      const part = message?.parts.get(key);
      if (part) view.update(part, 'fields');
    }
    for (const request of listPendingRequests(message)) {
      if (message && !this.#views.has(request.key)) this.#show(request, message);
    }
    return this.#list;
  }

  #show(request: PartOf<'request-activity'>, message: Message): void {
    if (!lazyViews.value) {
      if (this.#attempted.has(request.key)) return;
      this.#attempted.add(request.key);
      lazyViews.load().then(this.#connection.requestUpdate, (error: UbikError) => {
        this.viewContext.report(error);
        const retry = (): void => {
          this.#attempted.delete(request.key);
          this.#connection.requestUpdate();
        };
        addEventListener('online', retry, { once: true });
      });
      return;
    }
    const current = (): Message => this.#message ?? message;
    const view = new lazyViews.value.OnDemandRequestView(request, {
      context: this.viewContext,
      get message() {
        return current();
      },
      live: true,
      linkedPartOf: () => undefined,
    });
    this.#views.set(request.key, view);
    this.#list.append(view.node);
  }

  #clear(): void {
    for (const view of this.#views.values()) {
      view.dispose();
      view.node.remove();
    }
    this.#views.clear();
    this.#attempted.clear();
  }
}
