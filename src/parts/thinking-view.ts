import type { Part, PartOf } from '../model/part.js';
import { FoldView, type FoldLook } from './fold-view.js';
import type { MessageScope } from './part-view.js';
import { MarkdownText } from './text-view.js';

/** Characters that the line shows of a thought. */
const SHOWN = 160;

/** What was thought: folded, with its first words; while it goes on, with its last sentence and the time. */
export class ThinkingView extends FoldView<'thinking'> {
  readonly #began: number;
  readonly #body: MarkdownText;

  constructor(part: PartOf<'thinking'>, scope: MessageScope) {
    super(part, scope, 'thinking');
    this.#began = scope.context.clock.now();
    this.#body = new MarkdownText(this.content, part, scope);
    this.draw();
  }

  override update(part: Part): void {
    super.update(part);
    this.#body.update(part);
  }

  override dispose(): void {
    super.dispose();
    this.#body.dispose();
  }

  protected override look(): FoldLook {
    const { part, scope } = this;
    const { locale, clock } = this.context;
    const runs = part.state === 'open' && scope.live;
    this.tick(runs);
    const time = runs ? clock.now() - this.#began : 0;
    return {
      state: runs ? 'running' : 'closed',
      words: { number: this.text(runs ? 'thinking' : 'thought'), status: this.#preview(runs) },
      meta: [time < 1000 ? '' : locale.duration(time)],
    };
  }

  /** The last sentence, or the first words. */
  #preview(last: boolean): string {
    const { text } = this.part;
    const from = last && text ? Math.max(0, text.length - 2 * SHOWN) : 0;
    // Markdown without its signs, roughly.
    const words = (text?.read(from) ?? '')
      .slice(0, 2 * SHOWN)
      .replace(/[*_`#>~]|^\s*[-+]\s|\uE000[^\uE001]*\uE001?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (!last) return words.slice(0, SHOWN);
    return (words.split(/(?<=[.!?。！？])\s/).at(-1) ?? '').slice(-SHOWN);
  }
}
