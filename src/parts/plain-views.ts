import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { Part, PartOf } from '../model/part.js';
import { ChromeView } from './chrome-view.js';
import { renderIcon } from './icons.js';
import type { MessageScope, PartView } from './part-view.js';
import { createLongText, parseJson } from './tool/json-tree.js';
import { TextReader } from './text-reader.js';

/** The agent failed: what happened, in its words; technical details only where the host allows them. */
export class ErrorView extends ChromeView<'error'> {
  override readonly node = element('div', 'error');
  protected override readonly shell = this.node;

  constructor(part: PartOf<'error'>, scope: MessageScope) {
    super(part, scope);
    this.node.part.add('error');
    this.draw();
  }

  protected override template(): TemplateResult {
    const { locale, errorDetails } = this.scope.context;
    const { message, details } = this.part;
    return html`<p>
        ${renderIcon('alert')}<strong>${locale.text('errorTitle')}</strong>
        <bdi>${message}</bdi>
      </p>
      ${
        errorDetails && details
          ? html`<details>
              <summary>${locale.text('errorDetails')}</summary>
              ${createLongText(printDetails(details), locale)}
            </details>`
          : nothing
      }`;
  }
}

/** A text that is shown as it was written: of the person, of an unknown kind, of a renderer that failed. */
export class PlainView implements PartView {
  readonly node = element('div', 'plain');
  readonly content = element('div', 'content');
  readonly #reader = new TextReader();
  readonly #text = document.createTextNode('');

  constructor(part: Part, scope: MessageScope) {
    this.node.dir = 'auto';
    if (part.kind === 'unknown') {
      const words = scope.context.locale.text('unknownPart', { name: part.name });
      this.node.append(element('p', 'meta', words));
    }
    this.node.append(this.#text, this.content);
    this.update(part);
  }

  update(part: Part): void {
    const change = this.#reader.read(part.text);
    if (change.cut) this.#text.deleteData(change.at, this.#text.length - change.at);
    if (change.text) this.#text.appendData(change.text);
  }

  dispose(): void {
    // Holds nothing.
  }
}

function printDetails(raw: string): string {
  const value = parseJson(raw);
  return value === undefined ? raw : JSON.stringify(value, null, 2);
}
