/** Whether the characters of the first text node of an element, which fits on one line, are displayed from left to right. */
export function isLeftToRight(element: Element): boolean {
  const text = element.firstChild as Text;
  const lefts = Array.from({ length: text.length }, (_, at) => {
    const range = element.ownerDocument.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  });
  return lefts.every((left, at) => at === 0 || left > (lefts[at - 1] ?? 0));
}
