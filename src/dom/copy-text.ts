/** Copies a text to the clipboard. Then the label of the button is `done` until the button loses the pointer or the focus. */
export function copyText(button: Element, text: string, done: string): void {
  const label = button.textContent;
  // The button still shows the result of the last copy, and its listeners reset the label.
  if (label === done) copyWithFeedback(button, text, () => undefined);
  else {
    copyWithFeedback(button, text, (isCopied) => {
      button.textContent = isCopied ? done : label;
    });
  }
}

/**
 * Copies a text to the clipboard. `onChange` is called with true when it is copied, and with false when the button loses the pointer or the
 * focus after that. Does nothing if writing is not permitted.
 */
export function copyWithFeedback(
  button: Element,
  text: string,
  onChange: (isCopied: boolean) => void,
): void {
  const reset = (): void => {
    onChange(false);
  };
  const view = button.ownerDocument.defaultView;
  view?.navigator.clipboard?.writeText(text).then(
    () => {
      onChange(true);
      button.addEventListener('pointerleave', reset, { once: true });
      button.addEventListener('blur', reset, { once: true });
    },
    () => undefined,
  );
}
