import { element } from '../../dom/element.js';
import { LEVELS, ROW } from './message-boxes.js';

/** Puts groups that come before all others into boxes of their own. */
export function boxUp(groups: readonly HTMLElement[]): readonly HTMLElement[] {
  let row = groups;
  for (let level = 0; level < LEVELS; level += 1) {
    const boxes: HTMLElement[] = [];
    for (let at = 0; at < row.length; at += ROW) {
      boxes.push(element('div', 'box', ...row.slice(at, at + ROW)));
    }
    row = boxes;
  }
  return row;
}
