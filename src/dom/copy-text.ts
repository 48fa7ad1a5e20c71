/** What a copy button says after a copy. */
export interface CopyStrings {
  readonly copied: string;
  readonly copyFailed: string;
}

/** Copies a text to the clipboard. Then the label of the button is `copied` until the button loses the pointer or the focus. */
export function copyText(button: Element, text: string, strings: CopyStrings): void {
  const label = button.textContent;
  const { copied, copyFailed } = strings;
  // The button still shows the result of the last copy, and its listeners reset the label.
  if (label === copied) copyWithFeedback(button, text, copyFailed, () => undefined);
  else {
    copyWithFeedback(button, text, copyFailed, (isCopied) => {
      // The button may have got a label in another language meanwhile.
      if (isCopied) button.textContent = copied;
      else if (button.textContent === copied) button.textContent = label;
    });
  }
}

/**
 * Copies a text to the clipboard. `onChange` is called with true when it is copied, and with false when the button loses the pointer or the
 * focus after that. If writing is not permitted, the sentence `failure` is shown and announced behind the button until the button loses the
 * focus or something is pressed.
 */
export function copyWithFeedback(
  button: Element,
  text: string,
  failure: string,
  onChange: (isCopied: boolean) => void,
): void {
  const { ownerDocument: document } = button;
  const resetOn = (types: readonly string[], reset: () => void): void => {
    for (const type of types) button.addEventListener(type, reset, { once: true });
  };
  const showFailure = (): void => {
    const note = document.createElement('span');
    note.className = 'error-text';
    note.role = 'alert';
    note.textContent = failure;
    button.after(note);
    const remove = (): void => {
      note.remove();
    };
    // The note may move the button away from the pointer, so leaving the button does not remove it.
    resetOn(['blur', 'click'], remove);
    // Safari focuses no button when it is clicked.
    document.addEventListener('pointerdown', remove, { once: true });
  };
  const clipboard = document.defaultView?.navigator.clipboard;
  // Browsers have no clipboard in pages that are not secure.
  if (!clipboard) showFailure();
  else {
    clipboard.writeText(text).then(() => {
      onChange(true);
      resetOn(['pointerleave', 'blur'], () => {
        onChange(false);
      });
    }, showFailure);
  }
}
