import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { Part, PartOf } from '../model/part.js';
import { FoldView } from './chrome-view.js';
import { renderIcon } from './icons.js';
import type { MessageScope } from './part-view.js';
import { MarkdownText } from './text-view.js';

/** Characters that the line shows of a thought, and that are looked at for it. */
const SHOWN = 160;

/** What was thought: folded, with its first words; while it goes on, with its last sentence and the time. */
export class ThinkingView extends FoldView<'thinking'> {
  readonly #body: MarkdownText;
  readonly #status = element('bdi', 'status');
  readonly #began: number;
  #stopTicking: (() => void) | null = null;

  constructor(part: PartOf<'thinking'>, scope: MessageScope) {
    super(part, scope, 'thinking');
    this.node.part.add('thinking');
    this.#began = scope.context.clock.now();
    this.#body = new MarkdownText(this.content, part, scope);
    if (this.#isOpen()) this.#stopTicking = scope.context.clock.everySecond(this.invalidate);
    this.draw();
  }

  override update(part: Part, what: 'text' | 'fields' | 'parts'): void {
    // A chunk changes one text node of the line; Lit is left out.
    if (what === 'text') this.scope.context.frames.schedule(this.#drawStatus);
    else super.update(part, what);
    this.#body.update(part);
    if (!this.#isOpen()) this.#endTicking();
  }

  override dispose(): void {
    super.dispose();
    this.#endTicking();
    this.#body.dispose();
  }

  protected override template(): TemplateResult {
    const { locale, clock } = this.scope.context;
    const open = this.#isOpen();
    const seconds = clock.now() - this.#began;
    return html`<span class="glyph">${renderIcon(open ? 'dot' : 'ring')}</span>
      <span class="line">
        <bdi class="number">${locale.text(open ? 'thinking' : 'thought')}</bdi>
        ${this.#status}
      </span>
      ${open && seconds >= 1000 ? html`<span class="meta">${locale.duration(seconds)}</span>` : nothing}
      ${renderIcon('chevron')}`;
  }

  protected override drawn(): void {
    this.node.dataset['state'] = this.#isOpen() ? 'running' : 'completed';
    this.#drawStatus();
    this.fold(false);
  }

  readonly #drawStatus = (): void => {
    this.#status.textContent = this.#isOpen() ? this.#lastSentence() : this.#firstWords();
  };

  #isOpen(): boolean {
    return this.part.state === 'open' && this.scope.live;
  }

  #lastSentence(): string {
    const { text } = this.part;
    const tail = plain(text?.read(Math.max(0, text.length - 2 * SHOWN)) ?? '');
    const sentences = tail.split(/(?<=[.!?。！？])\s+/);
    return (sentences.at(-1) ?? '').slice(-SHOWN);
  }

  #firstWords(): string {
    return plain(this.part.text?.read().slice(0, 2 * SHOWN) ?? '').slice(0, SHOWN);
  }

  #endTicking(): void {
    this.#stopTicking?.();
    this.#stopTicking = null;
  }
}

/** Markdown without its signs, roughly: for one line of preview. */
function plain(markdown: string): string {
  return markdown
    .replace(/[*_`#>~]|^\s*[-+]\s|\uE000[^\uE001]*\uE001?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
