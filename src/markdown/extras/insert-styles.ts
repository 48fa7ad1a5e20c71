/** Gives the document or shadow tree in which an element stands the looks of an optional part, once. */
export function createStyleInserter(css: string): (element: Element) => void {
  const inserted = new WeakMap<Node, Document>();
  return (element) => {
    const root = element.getRootNode();
    const view = element.ownerDocument.defaultView;
    if (inserted.get(root) === element.ownerDocument || !view || !('adoptedStyleSheets' in root))
      return;
    inserted.set(root, element.ownerDocument);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    (root as Document).adoptedStyleSheets.push(sheet);
  };
}
