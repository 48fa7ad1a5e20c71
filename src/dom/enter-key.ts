/** Time after the end of a composition within which its Enter may still arrive, in ms of event timestamps. */
const COMPOSITION_TAIL = 50;

/**
 * Distinguishes an Enter that sends a field's text from one that belongs to an input method or inserts a line break.
 */
export class EnterKey {
  #composedAt = -Infinity;

  /** Listener for `compositionend` of the field. */
  readonly handleCompositionEnd = (event: Event): void => {
    this.#composedAt = event.timeStamp;
  };

  /** Whether a key event of the field is to send its text. */
  isSendKey(event: KeyboardEvent): boolean {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (key !== 'Enter' || shiftKey || altKey || ctrlKey || metaKey) return false;
    return !this.isComposing(event);
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
