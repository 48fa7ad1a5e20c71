import { html, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY, type PartOf } from '../../model/part.js';
import { createSyncedTextNode } from '../text-sync.js';
import { BasePartView } from './base-part-view.js';
import type { MessageScope } from '../part-view.js';
import { langOfInterface, setLang } from '../content-lang.js';

/** Whether a message broke off and automatic rejoining has ended. */
export function isInterrupted({ status }: Message): boolean {
  return status === 'interrupted';
}

/** The text that was held back when a message broke off; empty while its rest is still waited for. */
export function listIncompleteTexts(message: Message): readonly PartOf<'incomplete-activity'>[] {
  if (!isInterrupted(message)) return [];
  const { parts } = message;
  return parts.children(ACTIVITY).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'incomplete-activity' ? [part] : [];
  });
}

/** The mark of a text that is not whole. */
export function renderIncompleteMark(locale: Locale): TemplateResult {
  return html`<span class="meta" lang=${langOfInterface(locale)}
    >${locale.text('truncated')}</span
  >`;
}

/** Held text that belongs to no tool: as it came, below a line that says that it is incomplete. */
export class IncompleteTextView extends BasePartView<'incomplete-activity'> {
  readonly #mark: HTMLElement;
  readonly #text: ReturnType<typeof createSyncedTextNode>;

  constructor(part: PartOf<'incomplete-activity'>, scope: MessageScope) {
    const text = createSyncedTextNode();
    const mark = element('p');
    super(part, scope, element('div', 'plain held', mark, text.node));
    this.#mark = mark;
    this.#text = text;
    this.renderNow();
  }

  protected render(): void {
    const { locale } = this.context;
    setLang(this.node, locale.contentLang);
    render(renderIncompleteMark(locale), this.#mark);
    this.#text.follow(this.part.text);
  }
}
