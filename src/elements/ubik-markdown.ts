import type { PropertyDeclarations, PropertyValues } from 'lit';
import { element } from '../dom/element.js';
import { setContentLocale } from '../message/content-lang.js';
import { TextElement } from './base/text-element.js';

/**
 * Renders streaming Markdown from untrusted sources, at hundreds of chunks a second. Set `streaming` until the text is complete.
 *
 * @example
 * <ubik-markdown content="# Title"></ubik-markdown>
 *
 * @tagname ubik-markdown
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link is followed; cancelable
 * @fires {UbikLinkOpenedEvent} ubik-link-opened - a link was clicked and the page has not cancelled it
 * @fires {UbikImageLoadEvent} ubik-image-load - before an image is loaded at the user's request; cancelable
 * @fires {UbikImageLoadedEvent} ubik-image-loaded - a remote image was loaded
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - the strings of the language could not be loaded, or a scheme of links is ignored
 * @csspart base - container of all content
 * @cssprop [--ubik-font-mono] - font family of code
 * @cssprop [--ubik-line-height=1.55] - line height
 * @cssprop [--ubik-space-2=0.5rem] - small spacing
 * @cssprop [--ubik-space-3=0.75rem] - spacing between blocks
 * @cssprop [--ubik-space-4=1rem] - spacing around rules
 * @cssprop [--ubik-link] - colour of links; by default the accent
 * @cssprop [--ubik-focus] - colour of the focus ring in a text
 * @cssprop [--ubik-code-comment] - colour of comments in code
 * @cssprop [--ubik-code-keyword] - colour of keywords in code
 * @cssprop [--ubik-code-string] - colour of strings and added lines in code
 * @cssprop [--ubik-code-number] - colour of numbers in code
 * @cssprop [--ubik-code-title] - colour of declared names in code
 * @cssprop [--ubik-code-attr] - colour of attributes and properties in code
 * @cssprop [--ubik-code-deletion] - colour of removed lines in code
 */
export class UbikMarkdown extends TextElement {
  static override properties: PropertyDeclarations = {
    content: {},
    streaming: { type: Boolean },
  };

  /** The Markdown text. When it extends the previous text, only the new part is rendered. */
  content = '';
  /** Whether the text is incomplete. Unfinished syntax at its end, such as half a link, is then withheld. */
  streaming = false;

  readonly #text = element('div', 'text');
  readonly #body = this.viewContext.createMarkdown(this.#text, () => null);
  /** Length of the rendered text, including the text that `appendText` has added. */
  #length = 0;

  /**
   * Appends to the text without comparing it with the previous one, in time proportional to the appended length. Does not change `content`.
   */
  appendText(text: string): void {
    this.#length += text.length;
    this.#body.append(text);
  }

  protected override invalidateContent(): void {
    super.invalidateContent();
    this.#body.redraw();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('content')) this.#update(changed.get('content') ?? '');
    if (!this.streaming) void this.#body.end();
  }

  protected override renderContent(): Element {
    setContentLocale(this.#text, this.viewContext.locale);
    return this.#text;
  }

  /** Renders the difference between the previous content and the current one. Removes what `appendText` has added. */
  #update(before: string): void {
    const content = this.content || '';
    let common = content.startsWith(before) ? before.length : 0;
    while (common < before.length && content[common] === before[common]) common += 1;
    if (common < this.#length) this.#body.truncate(common);
    if (common < content.length) this.#body.append(content.slice(common));
    this.#length = content.length;
  }
}
