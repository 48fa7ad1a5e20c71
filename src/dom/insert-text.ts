/**
 * Replaces a range of a field's text and places the caret after it, as if typed: the user can undo it, and `input` is
 * dispatched.
 */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  start: number,
  end: number,
): void {
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  const before = field.value;
  // `execCommand` is deprecated, but the only way to keep the field's undo history. All browsers still support it.
  const isDone = text
    ? document.execCommand('insertText', false, text)
    : document.execCommand('delete');
  if (isDone && (field.value !== before || (start === end && text === ''))) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}
