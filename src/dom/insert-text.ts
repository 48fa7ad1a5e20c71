/**
 * Puts a text in place of a part of a field, with the caret behind it, as if it had been typed: the person can undo it, and
 * `input` is fired.
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
  // Nothing else keeps the field's own undo. It is old, but no browser lets go of it.
  const isDone = text
    ? document.execCommand('insertText', false, text)
    : document.execCommand('delete');
  if (isDone && (field.value !== before || (start === end && text === ''))) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}
