/** Gives the document or shadow tree in which an element stands the looks of an optional part, once. */
export function createDresser(css: string): (element: Element) => void {
  const dressed = new WeakMap<Node, Document>();
  return (element) => {
    const root = element.getRootNode();
    const view = element.ownerDocument.defaultView;
    if (dressed.get(root) === element.ownerDocument || !view || !('adoptedStyleSheets' in root))
      return;
    dressed.set(root, element.ownerDocument);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    (root as Document).adoptedStyleSheets.push(sheet);
  };
}
