/** A word that occurs in each text by users and the agent. */
export const CONTENT_MARK = 'çela';
/** Words that occur in the content of shared fixtures. */
const OTHER_CONTENT = /Rhine|Elbe/;

/** The language of a node by the `lang` attributes of the flat tree; null when there is none. */
function languageAt(node: Node): string | null {
  const element = node instanceof Element ? node : null;
  const lang = element?.getAttribute('lang');
  if (lang != null) return lang;
  const parent =
    element?.assignedSlot ??
    (node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode);
  return parent ? languageAt(parent) : null;
}

const NAMES = ['aria-label', 'title', 'placeholder', 'aria-description'];

/**
 * The visible and accessible texts of a tree with their languages. Omits accessible names that contain content ("Remove a.pdf"), because
 * they can have only one language.
 */
export function* readTexts(root: Node): Generator<readonly [text: string, lang: string | null]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node instanceof HTMLElement ? node : null;
    // The value of a field is content of the user.
    const isField = element?.matches('textarea, input') ?? false;
    const names =
      element && !isField
        ? NAMES.map((name) => element.getAttribute(name)).filter(
            (name) => !name?.includes(CONTENT_MARK),
          )
        : [];
    const texts = node instanceof Text ? [node.data] : names;
    // Texts without two adjacent letters, such as numbers and symbols, have no language.
    for (const text of texts)
      if (text && /\p{L}{2}/u.test(text)) yield [text.trim(), languageAt(node)];
  }
}

/** Whether a text is content. Interface strings that contain a name are not. */
const isContent = (text: string): boolean =>
  (text.includes(CONTENT_MARK) || OTHER_CONTENT.test(text)) &&
  !/^(?:Source 1|Load image)/.test(text);

/** Returns the texts with a wrong language: content should have `contentLang`, the interface `uiLang`. */
export function findWrongLanguages(root: Node, contentLang: string, uiLang = 'en') {
  return [...readTexts(root)].filter(
    ([text, lang]) => lang !== (isContent(text) ? contentLang : uiLang),
  );
}
