import type { Part, PartOf } from '../../model/part.js';
import { DisclosureView, contentText, type DisclosureSummary } from './disclosure.js';
import type { MessageScope } from '../part-view.js';
import { MarkdownText } from './text-view.js';

/** Characters that the line shows of a thought. */
const SHOWN = 160;

/** What was thought: folded, with its first words; while it goes on, with its last sentence and the time. */
export class ThinkingView extends DisclosureView<'thinking'> {
  readonly #began: number;
  readonly #body: MarkdownText;
  readonly #preview = document.createTextNode('');

  constructor(part: PartOf<'thinking'>, scope: MessageScope) {
    super(part, scope, 'thinking');
    this.#began = scope.context.clock.now();
    this.#body = new MarkdownText(this.content, part, scope);
    this.renderNow();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    this.part = part as PartOf<'thinking'>;
    // A chunk changes one text node of the line.
    if (what === 'text') this.context.frames.schedule(this.#drawPreview);
    else this.scheduleRender();
    this.#body.update(part);
  }

  redraw(): void {
    this.#body.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#body.dispose();
  }

  protected override summarize(): DisclosureSummary {
    const { locale, clock } = this.context;
    const runs = this.#runs;
    this.setTicking(runs);
    this.#drawPreview();
    const time = runs ? clock.now() - this.#began : 0;
    return {
      state: runs ? 'running' : 'closed',
      texts: {
        number: this.text(runs ? 'thinking' : 'thought'),
        status: contentText(this.#preview, locale),
      },
      meta: [time < 1000 ? '' : locale.duration(time)],
    };
  }

  get #runs(): boolean {
    return this.part.state === 'open' && this.scope.live;
  }

  /** The last sentence while it goes on, else the first words. */
  readonly #drawPreview = (): void => {
    const runs = this.#runs;
    const { text } = this.part;
    const from = runs && text ? Math.max(0, text.length - 2 * SHOWN) : 0;
    // Markdown without its signs, roughly.
    const words = (text?.read(from) ?? '')
      .slice(0, 2 * SHOWN)
      .replace(/[*_`#>~]|^\s*[-+]\s|\uE000[^\uE001]*\uE001?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const sentence = words.split(/(?<=[.!?。！？])\s/).at(-1) ?? '';
    this.#preview.data = runs ? sentence.slice(-SHOWN) : words.slice(0, SHOWN);
  };
}
