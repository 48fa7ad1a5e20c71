import type { CitationMark } from '../model/part.js';

/**
 * The data of the citation buttons on the page. In a separate module, so that the details of a passage can be loaded without the citation views.
 */
export const citationMarks = new WeakMap<Element, CitationMark>();

/** Returns the data of a citation button. */
export function findMark(button: Element): CitationMark | undefined {
  return citationMarks.get(button);
}
