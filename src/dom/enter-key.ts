/** How long after the end of a composition its Enter may still come, in ms of the event clock. */
const COMPOSITION_TAIL = 50;

/** Tells the Enter that sends the text of a field from one that an input method or a new line needs. */
export class EnterKey {
  #composedAt = -Infinity;

  /** Takes the end of a composition in the field. */
  readonly handleCompositionEnd = (event: Event): void => {
    this.#composedAt = event.timeStamp;
  };

  /** Whether a key of the field sends its text. */
  isSendKey(event: KeyboardEvent): boolean {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (key !== 'Enter' || shiftKey || altKey || ctrlKey || metaKey) return false;
    return !this.isComposing(event);
  }

  /** Whether a key belongs to an input method. Safari ends the composition first and marks the Enter that ended it only by the key code 229. */
  isComposing(event: KeyboardEvent): boolean {
    const isTail = event.timeStamp - this.#composedAt < COMPOSITION_TAIL;
    return event.isComposing || event.keyCode === 229 || isTail;
  }
}
