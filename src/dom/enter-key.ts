/** Time after the end of a composition within which its Enter may still arrive, in ms of event timestamps. */
const COMPOSITION_TAIL = 50;
/** Time after an Enter within which the browser inserts its line break if the input method ignores the key, in ms of event timestamps. */
const LINE_BREAK_DELAY = 1000;

/**
 * Distinguishes an Enter that sends a field's text from one that belongs to an input method or inserts a line break.
 */
export class EnterKey {
  #composedAt = -Infinity;
  /** The time stamp of the last key if it was an Enter that an input method may have processed, otherwise -Infinity. */
  #uncertainAt = -Infinity;

  /** Listener for `compositionend` of the field. */
  readonly handleCompositionEnd = (event: Event): void => {
    this.#composedAt = event.timeStamp;
  };

  /**
   * Whether a `keydown` or `beforeinput` of the field is to send its text. Keyboards that compose each word, as on phones and for Korean, do
   * not process the Enter that ends the composition, so that the browser inserts a line break. A later line break, for example of a page that
   * handles Enter itself, or of dictation, belongs to no Enter.
   */
  isSendKey(event: KeyboardEvent & { readonly inputType?: string }): boolean {
    const { type, inputType, key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (type === 'beforeinput') {
      if (inputType !== 'insertLineBreak') return false;
      const isIgnored = event.timeStamp - this.#uncertainAt < LINE_BREAK_DELAY;
      this.#uncertainAt = -Infinity;
      return isIgnored;
    }
    const isEnter = key === 'Enter' && !(shiftKey || altKey || ctrlKey || metaKey);
    const isUncertain = isEnter && this.isComposing(event);
    this.#uncertainAt = isUncertain ? event.timeStamp : -Infinity;
    return isEnter && !isUncertain;
  }

  /**
   * Whether a key event belongs to an input method. Safari ends the composition before the key event and marks that
   * Enter only by key code 229.
   */
  isComposing(event: KeyboardEvent): boolean {
    const isTail = event.timeStamp - this.#composedAt < COMPOSITION_TAIL;
    return event.isComposing || event.keyCode === 229 || isTail;
  }
}
