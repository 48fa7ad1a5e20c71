/** In each text that people or the agent have written. */
export const SAID = 'çela';
/** What the conversations of other tests say. */
const SAID_ELSEWHERE = /Rhine|Elbe/;

/** The language of a node by what is written in the tree that is drawn; null when nobody says any. */
function languageAt(node: Node): string | null {
  const element = node instanceof Element ? node : null;
  const said = element?.getAttribute('lang');
  if (said != null) return said;
  const around =
    element?.assignedSlot ??
    (node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode);
  return around ? languageAt(around) : null;
}

const NAMES = ['aria-label', 'title', 'placeholder', 'aria-description'];

/**
 * What is seen and heard in a tree, with its language. A name in which ours and theirs stand together ("Remove a.pdf") can have one
 * language only, and is left out.
 */
export function* readAll(root: Node): Generator<readonly [words: string, lang: string | null]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node instanceof HTMLElement ? node : null;
    // What is typed into a field is the person's.
    const isField = element?.matches('textarea, input') ?? false;
    const names =
      element && !isField
        ? NAMES.map((name) => element.getAttribute(name)).filter((name) => !name?.includes(SAID))
        : [];
    const texts = node instanceof Text ? [node.data] : names;
    for (const text of texts)
      if (text && /\p{L}{2}/u.test(text)) yield [text.trim(), languageAt(node)];
  }
}

/** But for sentences of ours in which a name of theirs stands. */
const isTheirs = (words: string): boolean =>
  (words.includes(SAID) || SAID_ELSEWHERE.test(words)) && !/^(?:Source 1|Load image)/.test(words);

/** What is not in the language that it should have: `theirs` for what others have written, `own` for words of ours. */
export function findWrong(root: Node, theirs: string, own = 'en') {
  return [...readAll(root)].filter(([words, lang]) => lang !== (isTheirs(words) ? theirs : own));
}
