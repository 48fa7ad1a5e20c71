import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { StreamController } from '../../conversation/controller-types.js';
import { warnOnce } from '../../internal/warn-once.js';
import { requestController } from './controller-context.js';
import type { ConversationLink } from './conversation-link.js';

/** An element that shows a part of a conversation that is not its own. */
type PartHost = ReactiveControllerHost &
  HTMLElement & { readonly controller: StreamController | null };

/**
 * Finds the conversation of a part: the one in its `controller` property, else the one of the element around it, also when that
 * one comes later. A part that finds none shows nothing and says so once.
 */
export class ConversationFinder implements ReactiveController {
  readonly #host: PartHost;
  readonly #link: ConversationLink;
  #stop: (() => void) | null = null;

  constructor(host: PartHost, link: ConversationLink) {
    this.#host = host;
    this.#link = link;
    host.addController(this);
  }

  hostConnected(): void {
    queueMicrotask(() => {
      this.find();
    });
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /** Looks again, such as after the property has changed. */
  find(): void {
    const host = this.#host;
    if (!host.isConnected) return;
    this.#stop?.();
    this.#stop = null;
    if (host.controller) {
      this.#link.use(host.controller);
      return;
    }
    let found = false;
    this.#stop = requestController(host, (controller) => {
      found = true;
      this.#link.use(controller);
    });
    if (found) return;
    warnOnce(
      `<${host.localName}> has no conversation: put it inside <ubik-chat>, or set its "controller".`,
    );
  }
}
