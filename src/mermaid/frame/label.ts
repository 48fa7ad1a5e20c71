import type { DrawnElement } from '../drawing.js';

/**
 * Creates the SVG text for a label that some diagrams draw in HTML (`<foreignObject>`), with the lines as the browser has broken them.
 * `light` and `dark` are the same label in the drawings of the two colour schemes; position and text are those of `light`.
 */
export function createLabel(light: Element, dark: Element): DrawnElement {
  const inLight = getComputedStyle(findTextParent(light));
  const inDark = getComputedStyle(findTextParent(dark));
  const isThemed = inLight.color !== inDark.color;
  const { x, y } = light.getBoundingClientRect();
  const numberOf = (name: string): number => Number(light.getAttribute(name) ?? 0) || 0;
  const lines = readLines(light).map(({ text, left, right, top, height }): DrawnElement => ({
    name: 'tspan',
    attributes: [
      ['x', String(numberOf('x') + (left + right) / 2 - x)],
      ['y', String(numberOf('y') + top - y + height / 2)],
    ],
    children: [text],
  }));
  return {
    name: 'text',
    attributes: [
      ['fill', isThemed ? `light-dark(${inLight.color}, ${inDark.color})` : inLight.color],
      ['stroke', 'none'],
      ['font-family', inLight.fontFamily],
      ['font-size', inLight.fontSize],
      ['font-style', inLight.fontStyle],
      ['font-weight', inLight.fontWeight],
      ['text-anchor', 'middle'],
      ['dominant-baseline', 'central'],
    ],
    children: lines,
  };
}

/** Returns the innermost element around the text, which has its colour and font. */
function findTextParent(box: Element): Element {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent?.trim() && node.parentElement) return node.parentElement;
  }
  return box;
}

interface Line {
  text: string;
  left: number;
  right: number;
  readonly top: number;
  readonly height: number;
}

/** Returns the lines of a text in the order of the document. */
function readLines(box: Element): Line[] {
  const lines: Line[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of (node.textContent ?? '').matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const { left, right, top, height } = range.getBoundingClientRect();
      const line = lines.at(-1);
      if (line && Math.abs(line.top - top) < height / 2) {
        line.text += ` ${word}`;
        // In a right-to-left text, the next word is to the left.
        line.left = Math.min(line.left, left);
        line.right = Math.max(line.right, right);
      } else lines.push({ text: word, left, right, top, height });
    }
  }
  return lines;
}
