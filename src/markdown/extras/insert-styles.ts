/** Creates a function that adds a style sheet to the document or shadow root of an element, once per root. */
export function createStyleInserter(css: string): (element: Element) => void {
  /** The document of each root at the insertion: a root that is moved to another document loses its adopted style sheets. */
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
