import type { Key } from '../../../model/json.js';
import type { PartTree } from '../../../model/part.js';
import { createContentParser } from '../tags/content-parser.js';
import type { ContentSink } from '../tags/content-sink.js';
import type { KeyMaker } from '../tags/keys.js';
import { printContent } from '../tags/print-content.js';
import { createLiveConstructs } from './live-constructs.js';
import type { MessageFold } from './message-fold.js';

/**
 * Gives a container whose parts are known a parser that stands at its end, as if it had read them: it reads what they print, while
 * its keys are theirs and its telling is heard by nobody. Costs what the parts are long.
 */
export function resumeParser(
  fold: MessageFold,
  parent: Key | null,
  trees: readonly PartTree[],
): void {
  const replay = new Replay(fold.createSink(parent), fold.keys, trees);
  const parser = createContentParser({
    mode: 'live',
    sink: replay.sink,
    keys: replay.keys,
    parent,
    constructs: createLiveConstructs(fold, parent),
  });
  for (const tree of trees) {
    if (isSpoken(tree)) parser.push(printContent([tree]));
    else parser.place(() => tree.key);
  }
  replay.end();
  fold.texts.use(parent, parser);
}

/** Parts that live text makes by itself. */
function isSpoken(tree: PartTree): boolean {
  return tree.kind === 'text' || tree.kind === 'thinking' || tree.kind === 'tool';
}

/** Sink and key maker of a parser that reads again what is known. */
class Replay {
  readonly sink: ContentSink;
  readonly keys: KeyMaker;
  #known: Key[];
  #isOver = false;

  constructor(sink: ContentSink, keys: KeyMaker, trees: readonly PartTree[]) {
    this.#known = trees.filter(isSpoken).flatMap(keysOf).reverse();
    const heard = (): boolean => this.#isOver;
    this.sink = {
      open: (key, parent, fields) => void (heard() && sink.open(key, parent, fields)),
      append: (key, text) => void (heard() && sink.append(key, text)),
      mark: (key, name, mark) => void (heard() && sink.mark(key, name, mark)),
      set: (key, field, value) => void (heard() && sink.set(key, field, value)),
    };
    this.keys = {
      named: (nature) => this.#known.pop() ?? keys.named(nature),
      unnamed: (anchor, count, kind) => this.#known.pop() ?? keys.unnamed(anchor, count, kind),
      snapshot: () => keys.snapshot(),
      restore: (state) => keys.restore(state),
    };
  }

  end(): void {
    this.#isOver = true;
    this.#known = [];
  }
}

/** In the order in which a parser meets them. */
function keysOf(tree: PartTree): Key[] {
  return [tree.key, ...(tree.parts ?? []).flatMap(keysOf)];
}
