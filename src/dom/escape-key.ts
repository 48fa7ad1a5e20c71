/**
 * Whether a key event is Escape for the page. An input method also uses this key, to cancel a composition; Safari marks such an event only by
 * the key code 229.
 */
export function isEscapeKey({ key, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === 'Escape' && !isComposing && keyCode !== 229;
}
