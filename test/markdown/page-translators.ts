/** What page translators of browsers do with the text nodes of a page. */

/** Replaces a text node by its translation, which is longer and marks what is translated. */
export type Translator = (node: Text) => void;

const translated = (text: string): string => text.replaceAll(/\p{L}+/gu, (word) => `«${word}»`);

/** The translators by what they do. */
export const TRANSLATORS: Readonly<Record<string, Translator>> = {
  'replaces text nodes by elements, as in Chrome': (node) => {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = translated(node.data);
    outer.append(inner);
    node.replaceWith(outer);
  },
  'changes text nodes, as in Edge': (node) => {
    node.data = translated(node.data);
  },
  'replaces text nodes by others, as in Firefox': (node) => {
    node.replaceWith(translated(node.data));
  },
};

/** Translates everything in an element that is not translated yet, except what must not be translated. */
export function translatePage(root: Node, translate: Translator): void {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  for (const node of nodes) {
    const isTranslatable = node.parentElement?.translate !== false;
    if (isTranslatable && /\p{L}/u.test(node.data) && !node.data.includes('«')) translate(node);
  }
}
