import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { StreamController } from '../conversation/controller-types.js';
import { ConversationFinder } from './connection/conversation-finder.js';
import { ConversationLink } from './connection/conversation-link.js';
import { baseStyles } from './styles/base.js';
import { composerStyles } from './styles/chat.js';
import { standAloneStyles } from './styles/stand-alone.js';
import { ComposerControl } from './views/composer-control.js';

/**
 * The field in which a message is written, with the button that sends it, and stops the answer.
 *
 * It takes the conversation of its `controller`, else of the element around it. Enter sends, Shift and Enter break the line;
 * a composition never sends. What is unsent is kept by the conversation.
 *
 * @example
 * <ubik-composer></ubik-composer>
 *
 * @tagname ubik-composer
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service has taken the message
 * @fires {UbikRunStopEvent} ubik-run-stop - before the service is asked to end the run; cancelable
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart composer - the field with its button
 * @csspart input - the field
 * @csspart send - the button that sends or stops
 */
export class UbikComposer extends LitElement {
  static override styles = [baseStyles, composerStyles, standAloneStyles];

  /** The conversation; by default that of the element around. */
  @property({ attribute: false }) controller: StreamController | null = null;

  readonly #link: ConversationLink;
  readonly #finder: ConversationFinder;
  readonly #control: ComposerControl;

  constructor() {
    super();
    this.#link = new ConversationLink(this, {
      connected: () => {
        this.#control.showDraft();
        this.#control.refresh();
      },
      changed: ({ do: verb }) => {
        if (verb !== 'text') this.#link.context.frames.schedule(this.#control.refresh);
      },
      noticed: (notice) => {
        this.#control.noticed(notice);
      },
      label: () => {
        this.#control.view.label();
      },
    });
    this.#control = new ComposerControl(this.#link);
    this.#finder = new ConversationFinder(this, this.#link);
  }

  /** Puts the focus into the field. */
  override focus(): void {
    this.#control.view.focus();
  }

  /** Sends a message as if the person had written it. False when it was not sent. */
  send(text: string): Promise<boolean> {
    return this.#control.send(text);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('controller')) this.#finder.find();
  }

  protected override render(): TemplateResult {
    return html`<div class="ubik" part="base">${this.#control.view.node}</div>`;
  }
}
