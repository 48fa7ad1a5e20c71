import { html, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Message } from '../../model/message.js';
import type { PartOf } from '../../model/part.js';
import { langOfInterface, setLang } from '../content-lang.js';
import type { MessageScope } from '../part-view.js';
import { createSyncedTextNode } from '../text-sync.js';
import { BasePartView } from './base-part-view.js';

/** Whether the stream of a message broke and could not be rejoined. Then the text at its end that could not be parsed is shown as incomplete. */
export function isInterrupted({ status }: Message): boolean {
  return status === 'interrupted';
}

/** Renders the label of an incomplete text. */
export function renderIncompleteLabel(locale: Locale): TemplateResult {
  return html`<span class="meta" lang=${langOfInterface(locale)}
    >${locale.text('truncated')}</span
  >`;
}

/** Shows an incomplete text that belongs to no tool, unchanged and below a label. */
export class IncompleteTextView extends BasePartView<'incomplete-activity'> {
  readonly #label: HTMLElement;
  readonly #text: ReturnType<typeof createSyncedTextNode>;

  constructor(part: PartOf<'incomplete-activity'>, scope: MessageScope) {
    const text = createSyncedTextNode();
    const label = element('p');
    super(part, scope, element('div', 'plain incomplete-text', label, text.node));
    this.#label = label;
    this.#text = text;
    this.renderNow();
  }

  protected render(): void {
    const { locale } = this.context;
    setLang(this.node, locale.contentLang);
    render(renderIncompleteLabel(locale), this.#label);
    this.#text.sync(this.part.text);
  }
}
