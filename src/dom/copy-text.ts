/**
 * Copies a text to the clipboard. Then the label of the button is `done` until the button loses the pointer or the focus.
 * Does nothing if writing is not permitted.
 */
export function copyText(button: Element, text: string, done: string): void {
  const label = button.textContent;
  const reset = (): void => void (button.textContent = label);
  const view = button.ownerDocument.defaultView;
  view?.navigator.clipboard?.writeText(text).then(
    () => {
      if (label === done) return;
      button.textContent = done;
      button.addEventListener('pointerleave', reset, { once: true });
      button.addEventListener('blur', reset, { once: true });
    },
    () => undefined,
  );
}
