import { html, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { findContentFormat, type ContentFormat } from '../controller/registry.js';
import { isUbikError, UbikError } from '../errors.js';
import { warnOnce } from '../dom/warn-once.js';
import { langOfContent } from '../message/content-lang.js';
import type { StandaloneMessage } from '../message/standalone-message.js';
import { MessagesElement } from './base/messages-element.js';
import { lazyViews } from './transcript/lazy-views.js';

/**
 * Renders one message from its stored text, without a service: steps, tools, thinking and citations as in a transcript. An input
 * request is shown, but cannot be answered.
 *
 * The content may grow: when it extends the previous content, only the new part is rendered. Set `streaming` until it is complete.
 *
 * @example
 * <ubik-message content="The answer is **42**."></ubik-message>
 *
 * @tagname ubik-message
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link is followed; cancelable
 * @fires {UbikLinkOpenedEvent} ubik-link-opened - a link was clicked and the page has not cancelled it
 * @fires {UbikImageLoadEvent} ubik-image-load - before an image is loaded at the user's request; cancelable
 * @fires {UbikImageLoadedEvent} ubik-image-loaded - a remote image was loaded
 * @fires {UbikPartAskEvent} ubik-part-ask - a renderer asks the host page
 * @fires {UbikErrorEvent} ubik-error - a renderer of the host page threw, or code could not be loaded
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - the strings of the language could not be loaded, or a scheme of links is ignored
 * @csspart base - container of all content
 * @csspart message - the message; also `question` or `answer`
 */
export class UbikMessage extends MessagesElement {
  static override properties: PropertyDeclarations = {
    content: {},
    format: {},
    author: {},
    streaming: { type: Boolean },
  };

  /** The text of the message, in the format of the service. */
  content = '';
  /** Name of a registered content format. */
  format = 'ubik';
  /** Author: `assistant`, or `user`, whose text is shown as plain text. Set it before the first rendering: the role does not change afterwards. */
  author: 'assistant' | 'user' = 'assistant';
  /** Whether the content is incomplete. */
  streaming = false;

  #message: StandaloneMessage | undefined;
  /**
   * Number of the attempt to load the modules. A change of `format` or `streaming`, or of the content other than by growing while `streaming`,
   * starts the next attempt, so that modules that could not be loaded are requested again.
   */
  #attempt = 0;
  /** The attempt in which a module could not be loaded, so that the content is shown as plain text; undefined after an attempt has succeeded. */
  #failedAttempt: number | undefined;

  /** The content; empty when the framework of the host page has set null or undefined. */
  get #text(): string {
    return this.content || '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const before = changed.get('content');
    const isGrowing = this.streaming && before && this.#text.startsWith(before);
    if ((changed.has('content') && !isGrowing) || changed.has('format') || changed.has('streaming'))
      this.#attempt += 1;
  }

  protected override invalidateContent(): void {
    super.invalidateContent();
    this.#message?.redraw();
  }

  protected override renderContent(): unknown {
    const message = this.#failedAttempt === this.#attempt ? null : this.#renderMessage();
    if (message || this.#failedAttempt === undefined) return message ?? nothing;
    return html`<div class="plain" dir="auto" lang=${langOfContent(this.viewContext.locale)}>
      ${this.#text}
    </div>`;
  }

  /** Renders the message; null until its modules are loaded and its first content is parsed. */
  #renderMessage(): HTMLElement | null {
    const module = this.#resolve(lazyViews.value ?? lazyViews.load())?.lazyStandaloneMessage;
    const loaded = module && this.#resolve(module.value ?? module.load());
    const format = this.author === 'user' ? null : this.#findFormat();
    if (!loaded || format === undefined) return null;
    this.#message ??= new loaded.StandaloneMessage(this.viewContext, () => {
      this.requestUpdate();
    });
    const { author, streaming } = this;
    const content = this.#text;
    const message = this.#message.render({ content, author, streaming }, format);
    if (message) this.#failedAttempt = undefined;
    return message;
  }

  /** Returns the value; undefined until it is loaded, after which the element is updated. */
  #resolve<T extends object>(value: T | Promise<T>): T | undefined {
    if (!(value instanceof Promise)) return value;
    const attempt = this.#attempt;
    value
      .catch((cause: unknown) => {
        const isReported = this.#failedAttempt !== undefined;
        this.#failedAttempt = attempt;
        const error = isUbikError(cause) ? cause : new UbikError('load-failed', { cause });
        if (!isReported) this.viewContext.report(error);
      })
      .finally(() => {
        this.requestUpdate();
      });
    return undefined;
  }

  /** Returns the format of the content, null for plain text, or undefined until it is loaded. */
  #findFormat(): ContentFormat | null | undefined {
    const format = this.format || 'ubik';
    const found = findContentFormat(format);
    if (found) return this.#resolve(found);
    if (this.content) {
      warnOnce(
        `<ubik-message> knows no format "${format}". Call registerContentFormat(), or import define.js for "ubik".`,
      );
    }
    return null;
  }
}
