import { clusterStart, firstUnits } from '../../dom/truncate.js';
import type { Part, PartOf } from '../../model/part.js';
import type { MessageScope } from '../part-view.js';
import { contentText, DisclosureView, type DisclosureSummary } from './disclosure.js';
import { MarkdownText } from './text-view.js';

/** Maximum length of the preview in the summary, in UTF-16 units. */
const PREVIEW_LENGTH = 160;
/** Matches between two sentences. Chinese and Japanese have no white space there. */
const SENTENCE_BOUNDARY = /(?<=[.!?])\s|(?<=[。！？][”」』）]?)(?![。！？”」』）]|$)\s?/;

/**
 * Renders thinking: collapsed, with its beginning in the summary; while it is being written, with its last sentence and the elapsed time.
 */
export class ThinkingView extends DisclosureView<'thinking'> {
  readonly #startedAt: number;
  readonly #body: MarkdownText;
  readonly #preview = document.createTextNode('');

  constructor(part: PartOf<'thinking'>, scope: MessageScope) {
    super(part, scope, 'thinking');
    this.#startedAt = scope.context.clock.now();
    this.#body = new MarkdownText(this.content, part, scope);
    this.renderNow();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    this.part = part as PartOf<'thinking'>;
    // A chunk of text changes only one text node of the summary.
    if (what === 'text') this.context.frames.schedule(this.#updatePreview);
    else this.scheduleRender();
    this.#body.update(part, what);
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
    const isRunning = this.#isRunning;
    this.setTicking(isRunning);
    this.#updatePreview();
    const elapsed = isRunning ? clock.now() - this.#startedAt : 0;
    return {
      state: isRunning ? 'running' : 'closed',
      texts: {
        number: this.text(isRunning ? 'thinking' : 'thought'),
        status: contentText(this.#preview, locale),
      },
      meta: [elapsed < 1000 ? '' : locale.duration(elapsed)],
    };
  }

  get #isRunning(): boolean {
    return this.part.state === 'open' && this.scope.live;
  }

  /** Shows the last sentence while the text is being written, and reads only the end of the text for it; otherwise shows the beginning. */
  readonly #updatePreview = (): void => {
    const isRunning = this.#isRunning;
    const { text } = this.part;
    const from = isRunning && text ? Math.max(0, text.length - 2 * PREVIEW_LENGTH) : 0;
    const preview = toPreview(text?.read(from) ?? '');
    const sentence = preview.split(SENTENCE_BOUNDARY).at(-1) ?? '';
    this.#preview.data = isRunning
      ? sentence.slice(Math.max(0, clusterStart(sentence, sentence.length - PREVIEW_LENGTH)))
      : firstUnits(preview, PREVIEW_LENGTH);
  };
}

/** Returns the beginning of a text as one line, without inline marks and the most common Markdown characters. It need not be exact. */
function toPreview(text: string): string {
  return text
    .slice(0, 2 * PREVIEW_LENGTH)
    .replace(/[*_`#>~]|^\s*[-+]\s|\uE000[^\uE001]*\uE001?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the preview of a finished text. */
export function previewOf(text: string): string {
  return firstUnits(toPreview(text), PREVIEW_LENGTH);
}
