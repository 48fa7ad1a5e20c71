/**
 * Runs in a page: returns the case, the path and the contrast of each field whose border has a contrast under 3 to the background
 * (WCAG 2.2, 1.4.11).
 */
export function findFaintFields(): string[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The page has no 2D canvas context.');
  const parentOf = (node: Element): Element | null => {
    const root = node.getRootNode();
    const host = root instanceof ShadowRoot ? root.host : null;
    return node.assignedSlot ?? node.parentElement ?? host;
  };
  const findFields = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((node) => [
      ...(node.matches('textarea, select, input:not([type="checkbox"], [type="radio"])')
        ? [node]
        : []),
      ...(node.shadowRoot ? findFields(node.shadowRoot) : []),
    ]);
  const luminance = (): number => {
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data]
      .map((channel) => channel / 255)
      .map((channel) =>
        channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
      );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  /** Paints the backgrounds of an element and all its ancestors, the outermost first, because each may be translucent. */
  const paintBehind = (node: Element): void => {
    const outer = parentOf(node);
    if (outer) paintBehind(outer);
    context.fillStyle = getComputedStyle(node).backgroundColor;
    context.fillRect(0, 0, 1, 1);
  };
  const findRatio = (box: Element): number => {
    const outer = parentOf(box);
    context.fillStyle = 'Canvas';
    context.fillRect(0, 0, 1, 1);
    if (outer) paintBehind(outer);
    const behind = luminance();
    const style = getComputedStyle(box);
    for (const colour of [style.backgroundColor, style.borderTopColor]) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    const edge = style.borderTopWidth === '0px' ? behind : luminance();
    return (Math.max(edge, behind) + 0.05) / (Math.min(edge, behind) + 0.05);
  };
  return findFields(document).flatMap((field) => {
    // The border of the composer's field is that of its box.
    const box = field.closest('.field') ?? field;
    const isVisible = field.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const ratio = findRatio(box);
    const host = (field.getRootNode() as ShadowRoot).host as Element | undefined;
    const name = host?.closest<HTMLElement>('[data-case]')?.dataset['case'] ?? '';
    const path = `${name}: ${box.parentElement?.className ?? ''} > ${box.localName}.${box.className}`;
    return isVisible && ratio < 3 ? [`${path}: ${ratio.toFixed(2)}`] : [];
  });
}
