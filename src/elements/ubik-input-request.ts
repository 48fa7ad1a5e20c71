import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { StreamController } from '../conversation/controller-types.js';
import { element } from '../internal/element.js';
import type { Key } from '../model/json.js';
import type { MessageScope } from '../parts/part-view.js';
import { RequestView } from '../parts/request/request-view.js';
import { armedRequests } from '../parts/thread-path.js';
import { ConversationFinder } from './connection/conversation-finder.js';
import { ConversationLink } from './connection/conversation-link.js';
import { baseStyles } from './styles/base.js';
import { messageStyles } from './styles/message.js';
import { partStyles } from './styles/parts.js';
import { standAloneStyles } from './styles/stand-alone.js';

/**
 * The open questions of a conversation, wherever in the page they are to be answered. Shows nothing while there is none; an
 * answered one stays, folded, until the conversation goes on.
 *
 * @example
 * <ubik-input-request></ubik-input-request>
 *
 * @tagname ubik-input-request
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool asks for something; cancelable
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer is sent; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service has taken the answer
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart request - one question
 */
export class UbikInputRequest extends LitElement {
  static override styles = [baseStyles, messageStyles, partStyles, standAloneStyles];

  /** The conversation; by default that of the element around. */
  @property({ attribute: false }) controller: StreamController | null = null;

  readonly #list = element('div', 'content');
  readonly #link: ConversationLink;
  readonly #finder: ConversationFinder;
  readonly #views = new Map<string, RequestView>();
  #head: Key | null = null;

  constructor() {
    super();
    this.#link = new ConversationLink(this, {
      connected: () => {
        this.#sync();
      },
      changed: ({ do: verb }) => {
        if (verb !== 'text') this.#link.context.frames.schedule(this.#sync);
      },
      label: () => {
        this.#views.forEach(({ invalidate }) => {
          invalidate();
        });
      },
    });
    this.#finder = new ConversationFinder(this, this.#link);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('controller')) this.#finder.find();
  }

  protected override render(): TemplateResult {
    return html`<div class="ubik" part="base">${this.#list}</div>`;
  }

  readonly #sync = (): void => {
    const thread = this.#link.session?.controller.thread;
    const message = thread?.messages.get(thread.head ?? '');
    if (message?.key !== this.#head) this.#clear();
    this.#head = message?.key ?? null;
    for (const [key, view] of this.#views) {
      const part = message?.parts.get(key);
      if (part) view.update(part, 'fields');
    }
    for (const request of armedRequests(message)) {
      if (!message || this.#views.has(request.key)) continue;
      const view = new RequestView(request, this.#createScope(message.key));
      this.#views.set(request.key, view);
      this.#list.append(view.node);
    }
  };

  #clear(): void {
    this.#views.forEach((view) => {
      view.dispose();
      view.node.remove();
    });
    this.#views.clear();
  }

  /** The message around a question, as far as the question needs it. */
  #createScope(key: Key): MessageScope {
    const link = this.#link;
    return {
      context: link.context,
      get message() {
        const message = link.session?.controller.thread?.messages.get(key);
        if (!message) throw new Error('The message of an open question is gone.');
        return message;
      },
      live: true,
      activityOf: () => undefined,
    };
  }
}
