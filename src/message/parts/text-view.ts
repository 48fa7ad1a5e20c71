import { element } from '../../dom/element.js';
import type { TextSource } from '../../model/text.js';
import type { Part } from '../../model/part.js';
import { createCitationButton, shortCitationLabel } from '../citation.js';
import { createTextSync, createSyncedTextNode } from '../text-sync.js';
import type { MarkdownBody, MessageScope, PartView } from '../part-view.js';
import { setContentLocale, setLang } from '../content-lang.js';

/** Citations of one text that are buttons. More of them in one paragraph would hold the page up; they are listed as sources all the same. */
const MAX_CITATIONS = 500;

/** Shows the growing Markdown text of a part in a container. */
export class MarkdownText {
  readonly #container: HTMLElement;
  readonly #scope: MessageScope;
  readonly #body: MarkdownBody;
  readonly #follow: (text: TextSource | null) => void;
  #part: Part;
  #cited = 0;

  constructor(container: HTMLElement, part: Part, scope: MessageScope) {
    this.#container = container;
    this.#scope = scope;
    this.#part = part;
    setContentLocale(container, scope.context.locale);
    this.#body = scope.context.createMarkdown(container, (key) => {
      const marks = 'marks' in this.#part ? this.#part.marks : undefined;
      const mark = marks && Object.hasOwn(marks, key) ? marks[key] : undefined;
      if (!mark) return null;
      this.#cited += 1;
      return this.#cited <= MAX_CITATIONS
        ? createCitationButton(mark, scope.context)
        : document.createTextNode(`[${shortCitationLabel(mark)}]`);
    });
    this.#follow = createTextSync(this.#body);
    this.update(part);
  }

  /** Takes what is new in the text; drawing waits for the frame. */
  update(part: Part): void {
    this.#part = part;
    this.#follow(part.text);
    if (!this.#scope.live) void this.#body.end();
  }

  redraw(): void {
    this.#cited = 0;
    setContentLocale(this.#container, this.#scope.context.locale);
    this.#body.redraw();
  }

  dispose(): void {
    this.#body.dispose();
  }
}

/** What was said. */
export class TextView extends MarkdownText implements PartView {
  readonly node: HTMLElement;
  readonly content = null;

  constructor(part: Part, scope: MessageScope) {
    const node = element('div', 'text');
    super(node, part, scope);
    node.part.add('text');
    this.node = node;
  }
}

/** A text that is shown as it was written: of the person, of an unknown kind, of a renderer that failed. */
export class PlainTextView implements PartView {
  readonly node = element('div', 'plain');
  readonly content = element('div', 'content');
  readonly #scope: MessageScope;
  readonly #text = createSyncedTextNode();
  /** What is said of a part whose kind is unknown. */
  readonly #note = element('p', 'meta');
  /** What its kind is called then. */
  readonly #unknown: string | null;

  constructor(part: Part, scope: MessageScope) {
    this.#scope = scope;
    this.#unknown = part.kind === 'unknown' ? part.name : null;
    if (this.#unknown !== null) this.node.append(this.#note);
    this.node.append(this.#text.node, this.content);
    this.redraw();
    this.update(part);
  }

  redraw(): void {
    const { locale } = this.#scope.context;
    setContentLocale(this.node, locale);
    if (this.#unknown === null) return;
    setLang(this.#note, locale.uiLang);
    this.#note.textContent = locale.text('unknownPart', { name: this.#unknown });
  }

  update(part: Part): void {
    this.#text.follow(part.text);
  }

  dispose(): void {
    // Holds nothing.
  }
}
