import type { Key } from '../../../model/json.js';
import { MARK_END, MARK_START, type ContentFields } from '../../../model/part.js';
import { parseCitation } from './citation.js';
import type { ContentSink } from './content-sink.js';
import { natureOf, type KeyMaker } from './keys.js';
import { isBlankText } from './payload.js';

/** A text that may still grow. */
interface OpenText {
  readonly key: Key;
  isEmpty: boolean;
  marks: number;
}

/** A part that holds parts, or the message itself. */
export interface Container {
  readonly key: Key | null;
  /** The last part in it that has a name, and how many without one follow it. */
  last: Key | null;
  count: number;
  /** The text at its end, if it ends with one. */
  text: OpenText | null;
}

/**
 * All that a writer keeps between two pieces. White space at the ends of a text between two tags (rule 16 of `ubik.md` 7.2): one line
 * break on each side belongs to the tag, and nothing but blanks is no text. So they are held until something else comes.
 */
export interface WriterState {
  /** A tag stands before: its line break goes. */
  trims: boolean;
  /** Blanks at the beginning, or a line break and blanks at the end. */
  held: string;
  /** Nothing has been told since the last tag. */
  fresh: boolean;
  thinking: OpenText | null;
}

/** A container without parts. */
export function createContainer(key: Key | null): Container {
  return { key, last: null, count: 0, text: null };
}

/**
 * Tells a sink what a parser has found: gives keys, holds the white space around tags, joins texts that stand side by side because
 * only a tag between them was dropped (by a line break, so that no two halves ever make a tag), and puts marks into texts.
 */
export class ContentWriter {
  /** Plain data: whoever copies it has the state of this moment. */
  state: WriterState = { trims: false, held: '', fresh: true, thinking: null };
  readonly #sink: ContentSink;
  readonly #keys: KeyMaker;

  constructor(sink: ContentSink, keys: KeyMaker) {
    this.#sink = sink;
    this.#keys = keys;
  }

  /** Text in `container`, or in the thought that is open. */
  text(container: Container, text: string): void {
    const { state } = this;
    if (isBlankText(text) && (state.fresh || (state.held && !text.includes('\n')))) {
      state.held += text;
      return;
    }
    const told = this.#begin(text);
    // A line break at the end, and the blanks behind it.
    const tail = /\n[ \t\r]*$/.exec(told)?.[0] ?? '';
    state.held = tail;
    this.#tell(container, told.slice(0, told.length - tail.length));
  }

  /** A citation in `container`, or in the thought that is open. */
  citation(container: Container, source: string): void {
    this.#tell(container, this.#begin(''));
    const text = this.#textOf(container);
    text.marks += 1;
    const name = String(text.marks);
    this.#sink.mark(text.key, name, parseCitation(source));
    this.#tell(container, MARK_START + name + MARK_END);
  }

  /** A tag stands here. */
  break(): void {
    Object.assign(this.state, { trims: true, held: '', fresh: true });
  }

  /** The text ends here. */
  end(container: Container): void {
    if (!this.state.fresh) this.#tell(container, this.state.held);
  }

  /** Opens a part with a nature of its own at the end of a container. */
  open(container: Container, fields: ContentFields): Key {
    const key = this.#keys.named(natureOf(fields));
    this.#sink.open(key, container.key, fields);
    this.stand(container, key);
    return key;
  }

  /** What follows in the container stands behind the part of this key. */
  stand(container: Container, key: Key): void {
    Object.assign(container, createContainer(container.key), { last: key });
  }

  /** A thought begins. */
  openThinking(container: Container): void {
    this.state.thinking = this.#openText(container, { kind: 'thinking', state: 'open' });
    container.text = null;
  }

  /** The thought that is open, if one is, ends. Tells whether one was. */
  closeThinking(): boolean {
    const { thinking } = this.state;
    if (thinking) this.#sink.set(thinking.key, 'state', 'closed');
    this.state.thinking = null;
    return thinking !== null;
  }

  /** What is held, and what follows it. */
  #begin(text: string): string {
    const { state } = this;
    const all = state.held + text;
    state.held = '';
    return state.fresh && state.trims ? all.replace(/^[ \t\r]*\n/, '') : all;
  }

  #tell(container: Container, text: string): void {
    if (text === '') return;
    const into = this.#textOf(container);
    this.#sink.append(into.key, this.state.fresh && !into.isEmpty ? `\n${text}` : text);
    this.state.fresh = false;
    into.isEmpty = false;
  }

  #textOf(container: Container): OpenText {
    return this.state.thinking ?? (container.text ??= this.#openText(container, { kind: 'text' }));
  }

  #openText(container: Container, fields: ContentFields & { kind: 'text' | 'thinking' }): OpenText {
    const { key: parent, last, count } = container;
    const anchor = last === null ? `${parent ?? ''}/` : `${last}+`;
    const key = this.#keys.unnamed(anchor, count, fields.kind);
    container.count += 1;
    this.#sink.open(key, parent, fields);
    return { key, isEmpty: true, marks: 0 };
  }
}
