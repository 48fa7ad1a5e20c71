import { element } from '../../dom/element.js';
import type { ComposerContext } from './composer-context.js';

/** The counter appears this many characters before the limit; with a short limit, in its last quarter. */
const THRESHOLD = 100;

/** Counts code points: a surrogate pair, such as an emoji, is one character; combining characters are counted separately. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Shows how many characters are left near the limit of `maxLength`, and rejects longer messages. Nothing is truncated. */
export class CharacterCounter {
  readonly node = element('p', 'meta count');
  readonly #context: ComposerContext;
  /** `near` the limit, `over` it, or empty. */
  #state = '';

  constructor(context: ComposerContext) {
    this.#context = context;
    // The count changes with each character, so `announce` reports only changes of the state.
    this.node.ariaHidden = 'true';
    this.node.dir = 'auto';
  }

  /** Updates the counter for the text of the field. */
  update(): void {
    const { host, field, announce } = this.#context;
    const max = this.#max;
    const left = max ? max - countCharacters(field.text) : 0;
    const isNear = max > 0 && left <= Math.min(THRESHOLD, Math.ceil(max / 4));
    const state = !isNear ? '' : left < 0 ? 'over' : 'near';
    const { text } = host.context.locale;
    const label = state && text(left < 0 ? 'lengthOver' : 'lengthLeft', { count: Math.abs(left) });
    if (this.node.textContent !== label) this.node.textContent = label;
    if (state === this.#state) return;
    this.#state = state;
    this.node.dataset['state'] = state;
    field.node?.setAttribute('aria-invalid', String(state === 'over'));
    announce(label);
  }

  /** Returns the reason why a text cannot be sent, as a sentence; empty when it can. */
  validate(text: string): string {
    const count = this.#max;
    if (!count || countCharacters(text) <= count) return '';
    return this.#context.host.context.locale.text('tooLong', { count });
  }

  /** The limit; 0 when the host page has set none, or something that is not a number. */
  get #max(): number {
    const { maxLength } = this.#context.host.element;
    return maxLength > 0 ? maxLength : 0;
  }
}
