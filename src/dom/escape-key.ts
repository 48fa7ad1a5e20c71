/** Whether a key event is Escape for the page: an input method uses the key to cancel a composition, which Safari marks only by key code 229. */
export function isEscapeKey({ key, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === 'Escape' && !isComposing && keyCode !== 229;
}
