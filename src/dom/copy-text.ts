/**
 * Writes a text to the clipboard. The button that asked for it says `done` until it is left. Where the page has no right to write,
 * nothing happens.
 */
export function copyText(button: Element, text: string, done: string): void {
  const words = button.textContent;
  const reset = (): void => void (button.textContent = words);
  const view = button.ownerDocument.defaultView;
  view?.navigator.clipboard?.writeText(text).then(
    () => {
      if (words === done) return;
      button.textContent = done;
      button.addEventListener('pointerleave', reset, { once: true });
      button.addEventListener('blur', reset, { once: true });
    },
    () => undefined,
  );
}
