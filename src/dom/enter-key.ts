/** Time after the end of a composition within which its Enter may still arrive, in ms of event timestamps. */
const COMPOSITION_TAIL = 50;

/**
 * Distinguishes an Enter that sends a field's text from one that belongs to an input method or inserts a line break.
 */
export class EnterKey {
  #composedAt = -Infinity;
  /** Whether the last key was an Enter that an input method may have processed. */
  #isUncertain = false;

  /** Listener for `compositionend` of the field. */
  readonly handleCompositionEnd = (event: Event): void => {
    this.#composedAt = event.timeStamp;
  };

  /**
   * Whether a `keydown` or `beforeinput` of the field is to send its text. Keyboards that compose each word, as on phones and for Korean, do
   * not process the Enter that ends the composition, so that the browser inserts a line break.
   */
  isSendKey(event: KeyboardEvent & { readonly inputType?: string }): boolean {
    const { type, inputType, key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (type === 'beforeinput') return this.#isUncertain && inputType === 'insertLineBreak';
    const isEnter = key === 'Enter' && !(shiftKey || altKey || ctrlKey || metaKey);
    this.#isUncertain = isEnter && this.isComposing(event);
    return isEnter && !this.#isUncertain;
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
