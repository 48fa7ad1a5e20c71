import { apply } from '../../../model/apply.js';
import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { EMPTY_ANSWER, type Message } from '../../../model/message.js';
import { createStore } from '../../../model/store.js';
import type { OutlineState } from '../fold/outline.js';

/**
 * A message of our own, built out of sight. It may begin at a state of an outline: then its texts hold only what came since, and
 * {@link offsetOf} tells how much stood before.
 */
export class ModelMirror {
  readonly #key: Key;
  readonly #store = createStore();
  /** Lengths of the texts at the beginning. Gone once the content was replaced as a whole. */
  #offsets = new Map<Key, number>();
  #isWhole: boolean;
  #isSound = true;
  readonly #rest: Change[] = [];

  constructor(key: Key, from: OutlineState | null) {
    this.#key = key;
    this.#isWhole = from === null || from.entries.size === 0;
    this.#apply({ do: 'message', message: key, value: EMPTY_ANSWER });
    if (from) this.#layOut(from, null);
    if (from)
      for (const parent of from.children.keys())
        if (parent?.startsWith('@')) this.#layOut(from, parent);
  }

  get message(): Message {
    const message = this.#store.threads.get('')?.messages.get(this.#key);
    if (!message) throw new Error('A mirror holds its message as long as it lives.');
    return message;
  }

  /** All of the content is in it, not only what came since the beginning. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** False when a text was cut behind its beginning: then only a whole one is of use. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** Changes of other things than parts, in order. */
  get rest(): readonly Change[] {
    return this.#rest;
  }

  /** Units of a part's text that stood before the beginning. */
  offsetOf(part: Key): number {
    return this.#offsets.get(part) ?? 0;
  }

  /** Carries changes of the message out. */
  take(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.do === 'text') this.#takeText(change);
      else if (change.do === 'content') this.#takeContent(change);
      else if (change.do === 'part' || (change.do === 'set' && change.part !== null)) {
        this.#apply(change);
      } else this.#rest.push(change);
    }
  }

  #takeText(change: Extract<Change, { do: 'text' }>): void {
    const at = change.at - this.offsetOf(change.part);
    if (at < 0) this.#isSound = false;
    else this.#apply({ ...change, at });
  }

  #takeContent(change: Change): void {
    for (const key of [...this.#offsets.keys()])
      if (!key.startsWith('@')) this.#offsets.delete(key);
    this.#isWhole = true;
    this.#apply(change);
  }

  /** Parts of a container and what is in them. The content comes first, then the containers of activity. */
  #layOut(from: OutlineState, parent: Key | null): void {
    for (const key of from.children.get(parent) ?? []) {
      const entry = from.entries.get(key);
      if (!entry) continue;
      this.#offsets.set(key, entry.length);
      const { fields: value } = entry;
      this.#apply({ do: 'part', message: this.#key, part: key, parent, before: null, value });
      if (!key.startsWith('@')) this.#layOut(from, key);
    }
  }

  #apply(change: Change): void {
    apply(this.#store, { thread: '', at: 0, changes: [change] });
  }
}
