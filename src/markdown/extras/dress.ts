/** Gives the document or shadow tree in which an element stands the looks of an optional part, once. */
export function createDresser(css: string): (element: Element, document: Document) => void {
  const dressed = new WeakSet<Node>();
  return (element, document) => {
    const root = element.getRootNode();
    const view = document.defaultView;
    if (dressed.has(root) || !view || !('adoptedStyleSheets' in root)) return;
    dressed.add(root);
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    (root as Document).adoptedStyleSheets.push(sheet);
  };
}
