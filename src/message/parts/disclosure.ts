import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isPrinting, onPrintChange } from '../../dom/print.js';
import type { Locale } from '../../locales/locale.js';
import type { PartKind, PartOf } from '../../model/part.js';
import { BasePartView } from './base-part-view.js';
import { renderIcon, type IconName } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { expandForPrint } from '../json-view.js';

/** A text that others have written, and its `lang`. */
export interface ContentText {
  readonly text: string | Text;
  readonly lang: string | undefined;
}

/** What a fold shows on its line, and whether it is open. */
export interface DisclosureSummary {
  readonly state: string;
  /** Texts by their class, in order. Empty ones are left out. */
  readonly texts: Readonly<Record<string, string | ContentText>>;
  /** Numbers at the end of the line. Empty ones are left out. */
  readonly meta?: readonly string[];
  /** Whether it is open while the person has not decided. */
  readonly open?: boolean;
}

/** Any other state is an empty ring. */
const ICONS: Readonly<Record<string, IconName>> = {
  running: 'dot',
  done: 'check',
  completed: 'check',
  answered: 'check',
  failed: 'alert',
};

/** The sign of a state. */
export function renderStateIcon(state: string): TemplateResult {
  return html`<span class="glyph">${renderIcon(ICONS[state] ?? 'ring')}</span>`;
}

/** The line of a fold. */
export function renderSummary({
  state,
  texts: words,
  meta = [],
}: DisclosureSummary): TemplateResult {
  return html`${renderStateIcon(state)}
    <span class="line"
      >${Object.entries(words).map(([name, words]) => renderWords(name, words))}</span
    >
    ${meta.map((text) => text && html`<bdi class="meta">${text}</bdi> `)}${renderIcon('chevron')}`;
}

function renderWords(name: string, words: string | ContentText): unknown {
  const { text, lang } = typeof words === 'string' ? { text: words, lang: undefined } : words;
  return text && html`<bdi class=${name} lang=${lang ?? nothing}>${text}</bdi> `;
}

/** What others have written, as a fold shows it on its line. */
export function contentText(text: string | Text, { contentLang }: Locale): ContentText {
  return { text, lang: contentLang };
}

/** A line with content behind it. It opens and closes by itself until the person has moved it, and never over their focus. */
export class Disclosure {
  readonly node: HTMLDetailsElement;
  readonly content = element('div', 'content');
  readonly #line = element('summary');
  #open = false;
  #chosen = false;

  /** `onToggle` is told when it was opened or closed; it is to show it again. */
  constructor(name: string, onToggle: () => void) {
    this.node = element('details', `fold ${name}`, this.#line, this.content);
    this.node.addEventListener('toggle', onToggle);
  }

  render(look: DisclosureSummary): void {
    const { node, content } = this;
    render(renderSummary(look), this.#line);
    node.dataset['state'] = look.state;
    // If it is not as we left it, the person has moved it, or the browser's search in the page.
    this.#chosen ||= node.open !== this.#open;
    if (!this.#chosen) node.open = (look.open ?? false) || content.matches(':focus-within');
    this.#open = node.open;
  }
}

/** A part that folds. On paper its style sheet shows it open, and its data is opened. */
export abstract class DisclosureView<Kind extends PartKind> extends BasePartView<Kind> {
  override readonly content: HTMLElement;
  protected readonly details: HTMLDetailsElement;
  readonly #fold: Disclosure;
  readonly #leavePaper: () => void;
  #closeData: (() => void) | null = null;

  /** `below`: what stands under the fold and is seen when it is closed, too. */
  constructor(part: PartOf<Kind>, scope: MessageScope, name: string, below?: HTMLElement) {
    const fold = new Disclosure(name, () => {
      this.renderNow();
    });
    super(part, scope, below ? element('div', 'call', fold.node, below) : fold.node, name);
    this.#fold = fold;
    this.details = fold.node;
    this.content = fold.content;
    this.#leavePaper = onPrintChange(() => {
      this.renderNow();
      this.#closeData?.();
      this.#closeData = isPrinting() ? expandForPrint(this.node) : null;
    });
  }

  override dispose(): void {
    super.dispose();
    this.#leavePaper();
  }

  protected abstract summarize(): DisclosureSummary;

  protected override render(): void {
    const look = this.summarize();
    // For somebody who listens nothing that was open closes by itself.
    const stays = this.details.open && (this.context.host as { assistive?: boolean }).assistive;
    this.#fold.render(stays ? { ...look, open: true } : look);
  }
}

/** How long something took; empty until it is over. */
export function formatElapsed(
  times: { readonly startedAt: number | null; readonly endedAt: number | null } | undefined,
  locale: Locale,
): string {
  return times?.startedAt != null && times.endedAt != null
    ? locale.duration(times.endedAt - times.startedAt)
    : '';
}
