import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { findContentFormat } from '../conversation/registry.js';
import { warnOnce } from '../internal/warn-once.js';
import type { ImagePolicy } from '../markdown/url-policy.js';
import type { PartTree } from '../model/part.js';
import { CitationCard } from '../parts/citation-card.js';
import { StoredMessage } from '../parts/stored-message.js';
import { ConversationLink } from './connection/conversation-link.js';
import { baseStyles } from './styles/base.js';
import { markdownStyles } from './styles/markdown.js';
import { messageStyles } from './styles/message.js';
import { partStyles } from './styles/parts.js';
import { standAloneStyles } from './styles/stand-alone.js';

/**
 * One message, from its stored text, without any service: steps, tools, thoughts, citations as in a conversation. A request for
 * input in it is shown and never armed.
 *
 * It may grow: a longer `content` that begins like the one before costs what is new to show; say `streaming` until it is whole.
 *
 * @example
 * <ubik-message content="The answer is **42**."></ubik-message>
 *
 * @tagname ubik-message
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link is followed; cancelable
 * @fires {UbikImageLoadEvent} ubik-image-load - before a remote picture is loaded; cancelable
 * @fires {UbikErrorEvent} ubik-error - a renderer of the page threw
 * @csspart base - the whole
 * @csspart message - the message; also `question` or `answer`
 */
export class UbikMessage extends LitElement {
  static override styles = [
    baseStyles,
    messageStyles,
    partStyles,
    standAloneStyles,
    markdownStyles,
  ];

  /** The text as the service stores it. */
  @property() content = '';
  /** Name of a registered format of stored texts. */
  @property() format = 'ubik';
  /** Who said it: `assistant`, or `user`, whose text is shown as it is. Read once. */
  @property() author = 'assistant';
  /** Whether more will come. */
  @property({ type: Boolean }) streaming = false;
  /** What becomes of remote pictures: `link` (default), `data` or `allow`. */
  @property({ attribute: 'image-policy' }) imagePolicy = 'link';
  /** Where relative links lead; by default nowhere. */
  @property({ attribute: 'link-base' }) linkBase = '';
  /** Whether technical details of errors may be shown. */
  @property({ type: Boolean, attribute: 'error-details' }) errorDetails = false;

  readonly #link: ConversationLink;
  readonly #message: StoredMessage;

  constructor() {
    super();
    this.#link = new ConversationLink(this, {
      errorDetails: () => this.errorDetails,
      policy: () => ({
        imagePolicy: this.imagePolicy as ImagePolicy,
        linkBase: this.linkBase,
      }),
      label: () => {
        this.#message.redraw();
      },
    });
    this.#message = new StoredMessage(this.#link.context);
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (!root) return;
    new CitationCard(root, () => this.#link.context);
    root.addEventListener('click', this.#link.handleLink);
  }

  protected override render(): TemplateResult {
    const author = this.author === 'user' ? 'user' : 'assistant';
    const parts = author === 'user' ? plainText(this.content) : this.#parse();
    return html`<div class="ubik" part="base">
      ${this.#message.show(parts, author, this.streaming)}
    </div>`;
  }

  #parse(): readonly PartTree[] {
    const format = findContentFormat(this.format);
    if (format) return format.parse(this.content);
    if (this.content) {
      warnOnce(
        `<ubik-message> knows no format "${this.format}". Call registerContentFormat(), or import define.js for "ubik".`,
      );
    }
    return plainText(this.content);
  }
}

function plainText(text: string): readonly PartTree[] {
  return text ? [{ kind: 'text', key: 'text', text }] : [];
}
