import { element } from '../../dom/element.js';
import type { Key } from '../../model/json.js';
import type { CitationMark, Part } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { createCitationButton, shortCitationLabel, updateCitationButton } from '../citation.js';
import { setContentLocale, setLang } from '../content-lang.js';
import type { MarkdownBody, MessageScope, PartView } from '../part-view.js';
import { createSyncedTextNode, createTextSync } from '../text-sync.js';
import { lastLeafKey } from '../part-selectors.js';

/**
 * Maximum number of citations in one text that are buttons; the others are text, because more buttons in one paragraph would block the
 * page. The list of sources contains those that have a title or a URL.
 */
const MAX_CITATION_BUTTONS = 500;

/** Renders the growing Markdown text of a part into a container. */
export class MarkdownText {
  readonly #container: HTMLElement;
  readonly #scope: MessageScope;
  readonly #body: MarkdownBody;
  readonly #sync: (text: TextSource | null) => void;
  #part: Part;
  /** The buttons of citations so far, with the keys of their marks. */
  readonly #buttons = new Map<HTMLElement, Key>();

  constructor(container: HTMLElement, part: Part, scope: MessageScope) {
    this.#container = container;
    this.#scope = scope;
    this.#part = part;
    setContentLocale(container, scope.context.locale);
    this.#body = scope.context.createMarkdown(container, (key) => this.#createCitation(key));
    this.#sync = createTextSync(this.#body);
    this.update(part);
  }

  /** Applies the change of the text, which is rendered from the next frame on. Ends a text that is not being written. */
  update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    this.#part = part;
    this.#sync(part.text);
    if (what === 'fields') this.#updateCitations();
    // A text may grow although another part has followed. It is not ended then: each chunk after an end would render it again.
    const isGrowing = what === 'text' ? this.#scope.live : this.#isBeingWritten;
    if (!isGrowing) void this.#body.end();
  }

  /** Renders the whole text again. */
  redraw(): void {
    this.#buttons.clear();
    setContentLocale(this.#container, this.#scope.context.locale);
    this.#body.redraw();
  }

  dispose(): void {
    this.#body.dispose();
  }

  get #isBeingWritten(): boolean {
    const { status, parts } = this.#scope.message;
    const isClosed = 'state' in this.#part && this.#part.state === 'closed';
    return status === 'streaming' && !isClosed && lastLeafKey(parts) === this.#part.key;
  }

  #createCitation(key: Key): Node | null {
    const mark = this.#findMark(key);
    if (!mark) return null;
    if (this.#buttons.size >= MAX_CITATION_BUTTONS) {
      return document.createTextNode(`[${shortCitationLabel(mark)}]`);
    }
    const button = createCitationButton(mark, this.#scope.context);
    this.#buttons.set(button, key);
    return button;
  }

  /** Updates the buttons whose sources have become known or have changed, although the text is the same. */
  #updateCitations(): void {
    for (const [button, key] of this.#buttons) {
      const mark = this.#findMark(key);
      if (mark) updateCitationButton(button, mark, this.#scope.context);
    }
  }

  #findMark(key: Key): CitationMark | undefined {
    const marks = 'marks' in this.#part ? this.#part.marks : undefined;
    return marks && Object.hasOwn(marks, key) ? marks[key] : undefined;
  }
}

/** The key of the part whose text an element shows. */
export const textKeys = new WeakMap<Element, Key>();

/** Renders a text of the agent. */
export class TextView extends MarkdownText implements PartView {
  readonly node: HTMLElement;
  readonly content = null;

  constructor(part: Part, scope: MessageScope) {
    const node = element('div', 'text');
    super(node, part, scope);
    node.part.add('text');
    textKeys.set(node, part.key);
    this.node = node;
  }
}

/** Renders a text unchanged: that of a user, of an unknown kind of part, or of activity that has no view of its own. */
export class PlainTextView implements PartView {
  readonly node = element('div', 'plain');
  readonly content = element('div', 'content');
  readonly #scope: MessageScope;
  readonly #text = createSyncedTextNode();
  /** The name of the kind above the text of a part of an unknown kind. */
  readonly #kindLabel = element('p', 'meta');
  readonly #unknownKind: string | null;

  constructor(part: Part, scope: MessageScope) {
    this.#scope = scope;
    this.#unknownKind = part.kind === 'unknown' ? part.name : null;
    if (this.#unknownKind !== null) this.node.append(this.#kindLabel);
    this.node.append(this.#text.node, this.content);
    this.redraw();
    this.update(part);
  }

  redraw(): void {
    const { locale } = this.#scope.context;
    setContentLocale(this.node, locale);
    if (this.#unknownKind === null) return;
    setLang(this.#kindLabel, locale.uiLang);
    this.#kindLabel.textContent = locale.text('unknownPart', { name: this.#unknownKind });
  }

  update(part: Part): void {
    this.#text.sync(part.text);
  }

  dispose(): void {
    // There are no timers and no listeners to release.
  }
}
