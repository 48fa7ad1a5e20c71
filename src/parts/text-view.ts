import { element } from '../internal/element.js';
import type { Part } from '../model/part.js';
import { createCitation } from './citation.js';
import type { MarkdownBody, MessageScope, PartView } from './part-view.js';
import { TextReader } from './text-reader.js';

/** Shows a growing Markdown text in a container. */
export class MarkdownText {
  readonly #body: MarkdownBody;
  readonly #reader = new TextReader();
  readonly #scope: MessageScope;
  #part: Part;

  constructor(container: HTMLElement, part: Part, scope: MessageScope) {
    this.#part = part;
    this.#scope = scope;
    this.#body = scope.context.createMarkdown(container, (key) => this.#createMark(key));
    this.update(part);
  }

  /** Takes what is new in the text; drawing waits for the frame. */
  update(part: Part): void {
    this.#part = part;
    const change = this.#reader.read(part.text);
    if (change.cut) this.#body.cut(change.at);
    if (change.text) this.#body.append(change.text);
    if (!this.#scope.live) void this.#body.end();
  }

  dispose(): void {
    this.#body.dispose();
  }

  #createMark(key: string): Node | null {
    const part = this.#part;
    const marks = part.kind === 'text' || part.kind === 'thinking' ? part.marks : undefined;
    const mark = marks && Object.hasOwn(marks, key) ? marks[key] : undefined;
    return mark ? createCitation(mark, this.#scope.context) : null;
  }
}

/** What was said. */
export class TextView implements PartView {
  readonly node = element('div', 'text');
  readonly content = null;
  readonly #text: MarkdownText;

  constructor(part: Part, scope: MessageScope) {
    this.node.part.add('text');
    this.node.dir = 'auto';
    this.#text = new MarkdownText(this.node, part, scope);
  }

  update(part: Part): void {
    this.#text.update(part);
  }

  dispose(): void {
    this.#text.dispose();
  }
}
