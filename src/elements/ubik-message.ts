import type { PropertyDeclarations } from 'lit';
import { findContentFormat } from '../conversation/registry.js';
import { warnOnce } from '../internal/warn-once.js';
import type { PartTree } from '../model/part.js';
import { StoredMessage } from '../parts/stored-message.js';
import { ViewElement } from './base/view-element.js';

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
export class UbikMessage extends ViewElement {
  static override properties: PropertyDeclarations = {
    content: {},
    format: {},
    author: {},
    streaming: { type: Boolean },
  };

  /** The text as the service stores it. */
  content = '';
  /** Name of a registered format of stored texts. */
  format = 'ubik';
  /** Who said it: `assistant`, or `user`, whose text is shown as it is. Read once. */
  author = 'assistant';
  /** Whether more will come. */
  streaming = false;

  readonly #message = new StoredMessage(this.context);

  protected override relabel(): void {
    super.relabel();
    this.#message.redraw();
  }

  protected override renderContent(): Element {
    const author = this.author === 'user' ? 'user' : 'assistant';
    const parts = author === 'user' ? plainText(this.content) : this.#parse();
    return this.#message.show(parts, author, this.streaming);
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
