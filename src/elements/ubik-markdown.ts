import type { PropertyDeclarations, PropertyValues } from 'lit';
import { element } from '../dom/element.js';
import { setContentLocale } from '../message/content-lang.js';
import { ViewElement } from './base/view-element.js';

/**
 * A Markdown text, safe to show whoever wrote it, that may grow by hundreds of pieces a second: say `streaming` until it is whole.
 *
 * @example
 * <ubik-markdown content="# Title"></ubik-markdown>
 *
 * @tagname ubik-markdown
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link is followed; cancelable
 * @fires {UbikImageLoadEvent} ubik-image-load - before a remote picture is loaded; cancelable
 * @csspart base - the whole
 * @cssprop [--ubik-font-mono] - font of code
 * @cssprop [--ubik-line-height=1.55] - distance of lines
 * @cssprop [--ubik-space-2=0.5rem] - small distances
 * @cssprop [--ubik-space-3=0.75rem] - between blocks
 * @cssprop [--ubik-space-4=1rem] - around rules
 * @cssprop [--ubik-link] - colour of links; the accent by default
 * @cssprop [--ubik-focus] - colour of the focus ring in a text
 * @cssprop [--ubik-code-comment] - colour of remarks in code
 * @cssprop [--ubik-code-keyword] - colour of keywords in code
 * @cssprop [--ubik-code-string] - colour of strings and added lines in code
 * @cssprop [--ubik-code-number] - colour of numbers in code
 * @cssprop [--ubik-code-title] - colour of names of what is defined in code
 * @cssprop [--ubik-code-attr] - colour of attributes and properties in code
 * @cssprop [--ubik-code-deletion] - colour of removed lines in code
 */
export class UbikMarkdown extends ViewElement {
  static override properties: PropertyDeclarations = { content: {}, streaming: { type: Boolean } };

  /** The text. One that begins like the one before costs what is new. */
  content = '';
  /** Whether more will come: what is not finished, such as half a link, is held back. */
  streaming = false;

  readonly #text = element('div', 'text');
  readonly #body = this.context.createMarkdown(this.#text, () => null);
  #length = 0;

  /** Adds to the text without comparing: costs the length of the piece alone. `content` is not changed. */
  appendText(text: string): void {
    this.#length += text.length;
    this.#body.append(text);
  }

  protected override relabel(): void {
    super.relabel();
    this.#body.redraw();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('content')) this.#take(changed.get('content') ?? '');
    if (!this.streaming) void this.#body.end();
  }

  protected override renderContent(): Element {
    setContentLocale(this.#text, this.context.locale);
    return this.#text;
  }

  #take(before: string): void {
    const content = this.content || '';
    let kept = content.startsWith(before) ? before.length : 0;
    if (kept === 0) while (kept < before.length && content[kept] === before[kept]) kept += 1;
    if (kept < this.#length) this.#body.truncate(kept);
    if (kept < content.length) this.#body.append(content.slice(kept));
    this.#length = content.length;
  }
}
