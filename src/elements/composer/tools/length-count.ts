import { element } from '../../../dom/element.js';
import type { ComposerContext } from './composer-context.js';

/** How many characters before the end the count is shown; in a short message, the last quarter. */
const NEAR = 100;

/** Characters as people count them, except that some signs are made of several. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** What is left of the longest message that may be sent, shown near its end. Nothing is ever cut. */
export class LengthCount {
  readonly node = element('p', 'meta count');
  readonly #context: ComposerContext;
  #state = '';

  constructor(context: ComposerContext) {
    this.#context = context;
    // Seen at each letter, but said only once.
    this.node.ariaHidden = 'true';
    this.node.dir = 'auto';
  }

  /** Shows the count as it is now. */
  update(): void {
    const { host, field, say } = this.#context;
    const max = this.#max;
    const left = max ? max - lengthOf(field.text) : 0;
    const isNear = max > 0 && left <= Math.min(NEAR, Math.ceil(max / 4));
    const state = !isNear ? '' : left < 0 ? 'over' : 'near';
    const { text } = host.context.locale;
    const words = state && text(left < 0 ? 'lengthOver' : 'lengthLeft', { count: Math.abs(left) });
    if (this.node.textContent !== words) this.node.textContent = words;
    if (state === this.#state) return;
    this.#state = state;
    this.node.dataset['state'] = state;
    field.node?.setAttribute('aria-invalid', String(left < 0 && isNear));
    say(words);
  }

  /** Why a text cannot be sent, as a sentence; empty when it can. */
  refuse(text: string): string {
    const count = this.#max;
    if (!count || lengthOf(text) <= count) return '';
    return this.#context.host.context.locale.text('tooLong', { count });
  }

  /** Longest message; 0: any, also when the page has set something that is no number. */
  get #max(): number {
    const { maxLength } = this.#context.host.element;
    return maxLength > 0 ? maxLength : 0;
  }
}
