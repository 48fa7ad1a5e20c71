import { Marked } from 'marked';
import { EXTENSIONS } from './extensions.js';
import { makeStage } from './stage.js';
import { nextFrame, type MakeSubject } from './subject.js';

/** One operation of the replay: opens an element, closes one, or appends text. */
type Operation =
  | { readonly do: 'open'; readonly element: Element }
  | { readonly do: 'close' }
  | { readonly do: 'text'; readonly text: string };

/**
 * The reference renderer: the final DOM is known in advance, rendered by marked from the whole text, without wrappers, groups or
 * containment. Each chunk releases its share of the text, which is committed once per frame. It has the same ancestors and style sheets as
 * the text of a `<ubik-chat>`.
 */
export const replay: MakeSubject = async ({ box, text, history }) => {
  const target = await makeStage(box);
  // The style sheet of Markdown applies to elements with this class.
  target.classList.add('ubik-markdown');
  for (const message of history) target.before(makeDom(message));
  const operations = listOperations(makeDom(text));
  const total = operations.reduce(
    (sum, operation) => sum + (operation.do === 'text' ? operation.text.length : 0),
    0,
  );
  const player = new Player(target, operations);
  let pushed = 0;
  let scheduled = false;
  const commit = (): void => {
    scheduled = false;
    player.playTo(Math.round((pushed / text.length) * total));
  };
  return {
    root: target,
    push: (chunk) => {
      pushed += chunk.length;
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(commit);
    },
    end: async () => {
      pushed = text.length;
      commit();
      await nextFrame();
    },
  };
};

const marked = new Marked(...EXTENSIONS);

/** Returns the DOM of a document as marked renders it with the extensions. Not part of the measured time. */
export function makeDom(text: string): HTMLElement {
  const template = document.createElement('template');
  template.innerHTML = marked.parse(text, { gfm: true, async: false });
  const root = document.createElement('div');
  root.append(template.content);
  return root;
}

function listOperations(parent: Element): Operation[] {
  const operations: Operation[] = [];
  for (const node of parent.childNodes) {
    if (node instanceof Text) operations.push({ do: 'text', text: node.data });
    else if (node instanceof Element) {
      const element = node.cloneNode(false);
      if (element instanceof Element) operations.push({ do: 'open', element });
      operations.push(...listOperations(node), { do: 'close' });
    }
  }
  return operations;
}

/** Replays operations up to a length of text. An element is added empty when it is opened, and then grows. */
class Player {
  readonly #operations: readonly Operation[];
  readonly #stack: Element[];
  #index = 0;
  #inText = 0;
  #shown = 0;
  #open: Text | null = null;

  constructor(target: Element, operations: readonly Operation[]) {
    this.#operations = operations;
    this.#stack = [target];
  }

  playTo(length: number): void {
    for (
      let operation = this.#operations[this.#index];
      operation;
      operation = this.#operations[this.#index]
    ) {
      if (operation.do === 'text') {
        if (this.#shown >= length || !this.#grow(operation.text, length)) return;
      } else if (operation.do === 'open') {
        this.#top().append(operation.element);
        this.#stack.push(operation.element);
      } else this.#stack.pop();
      this.#index += 1;
    }
  }

  /** Appends more of a text. Returns true when it is complete. */
  #grow(text: string, length: number): boolean {
    const count = Math.min(text.length - this.#inText, length - this.#shown);
    const piece = text.slice(this.#inText, this.#inText + count);
    if (this.#open) this.#open.appendData(piece);
    else {
      this.#open = document.createTextNode(piece);
      this.#top().append(this.#open);
    }
    this.#inText += count;
    this.#shown += count;
    if (this.#inText < text.length) return false;
    this.#inText = 0;
    this.#open = null;
    return true;
  }

  #top(): Element {
    const top = this.#stack.at(-1);
    if (!top) throw new Error('The replay closed more than it opened.');
    return top;
  }
}
