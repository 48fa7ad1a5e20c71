import type { Mark } from '../model/part.js';

/**
 * The data of the citation buttons on the page. In a separate module, so that the passage panel can be loaded without the citation views.
 */
export const marks = new WeakMap<Element, Mark>();

/** Returns the data of a citation button. */
export function findMark(button: Element): Mark | undefined {
  return marks.get(button);
}
