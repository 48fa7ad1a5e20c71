import type { Key } from '../../../../model/json.js';
import type { ContentFields } from '../../../../model/part.js';
import { parseCitation, printMark } from './citation.js';
import type { ContentSink } from '../content-sink.js';
import { behind, natureOf, startOf, type KeyMaker } from '../keys.js';
import { breakRun, createTextRun, endRun, runMark, runText, type TextRun } from './text-run.js';

/** A text that may still grow. */
export interface OpenText {
  readonly key: Key;
  length: number;
  marks: number;
}

/** A part that holds parts, or the message itself. */
export interface Container {
  readonly key: Key | null;
  /** What unnamed parts at its end follow, and how many do already. */
  anchor: string;
  count: number;
  /** The text at its end, if it ends with one. */
  text: OpenText | null;
}

/** All that a writer keeps between two pieces. */
export interface WriterState {
  run: TextRun;
  /** Nothing has been told since the last tag. */
  fresh: boolean;
  thinking: OpenText | null;
}

/** A container without parts. */
export function createContainer(key: Key | null): Container {
  return { key, anchor: startOf(key), count: 0, text: null };
}

/**
 * Tells a sink what a parser has found: gives keys, holds the white space around tags, joins texts that stand side by side because
 * only a tag between them was dropped (by a line break, so that no two halves ever make a tag), and puts marks into texts.
 */
export class ContentWriter {
  /** Plain data: whoever copies it has the state of this moment. */
  state: WriterState = { run: createTextRun(), fresh: true, thinking: null };
  readonly #sink: ContentSink;
  readonly #keys: KeyMaker;

  constructor(sink: ContentSink, keys: KeyMaker) {
    this.#sink = sink;
    this.#keys = keys;
  }

  /** Text in `container`, or in the thought that is open. */
  text(container: Container, text: string): void {
    this.#tell(container, runText(this.state.run, text));
  }

  /** A citation in `container`, or in the thought that is open. */
  citation(container: Container, source: string): void {
    this.#tell(container, runMark(this.state.run));
    const text = this.#textOf(container);
    text.marks += 1;
    const name = String(text.marks);
    this.#sink.mark(text.key, name, parseCitation(source));
    this.#tell(container, printMark(name));
  }

  /** A tag stands here. Without a tag (`afterTag` false), what follows keeps its first line break. */
  break(afterTag = true): void {
    breakRun(this.state.run, afterTag);
    this.state.fresh = true;
  }

  /** The text ends here. */
  end(container: Container): void {
    this.#tell(container, endRun(this.state.run));
    this.break();
  }

  /** Opens a part with a nature of its own at the end of a container. */
  open(container: Container, fields: ContentFields): Key {
    const key = this.#keys.named(natureOf(fields) ?? fields.kind);
    this.#sink.open(key, container.key, fields);
    this.stand(container, key);
    return key;
  }

  /** What follows in the container stands behind the part of this key. */
  stand(container: Container, key: Key): void {
    container.anchor = behind(key);
    container.count = 0;
    container.text = null;
  }

  /** A thought begins. */
  openThinking(container: Container): void {
    const key = this.#unnamed(container, 'thinking');
    container.text = null;
    this.state.thinking = { key, length: 0, marks: 0 };
    this.#sink.open(key, container.key, { kind: 'thinking', state: 'open' });
  }

  /** The thought that is open, if one is, ends. Tells whether one was. */
  closeThinking(): boolean {
    const { thinking } = this.state;
    if (!thinking) return false;
    this.#sink.set(thinking.key, 'state', 'closed');
    this.state.thinking = null;
    return true;
  }

  /** The text that told last, at the end of `container` or in the open thought; null when there is none. */
  lastText(container: Container): OpenText | null {
    return this.state.thinking ?? container.text;
  }

  #tell(container: Container, text: string): void {
    if (text === '') return;
    const into = this.#textOf(container);
    const joined = this.state.fresh && into.length > 0 ? `\n${text}` : text;
    this.state.fresh = false;
    into.length += joined.length;
    this.#sink.append(into.key, joined);
  }

  #textOf(container: Container): OpenText {
    const known = this.lastText(container);
    if (known) return known;
    const key = this.#unnamed(container, 'text');
    container.text = { key, length: 0, marks: 0 };
    this.#sink.open(key, container.key, { kind: 'text' });
    return container.text;
  }

  #unnamed(container: Container, kind: 'text' | 'thinking'): Key {
    const key = this.#keys.unnamed(container.anchor, container.count, kind);
    container.count += 1;
    return key;
  }
}
