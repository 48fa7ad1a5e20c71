import { expect } from '@open-wc/testing';
import { createRandom } from '../helpers/seeded-random.js';
import { randomMarkdown, randomPieces } from './random-markdown.js';
import { setupView, renderAtOnce } from './setup-view.js';
import { seedsUpTo } from '../helpers/sample.js';

/** Blocks at any depth, list items and rows: each is closed once a sibling follows. */
const CLOSED = '.ubik-markdown > *, .ubik-markdown blockquote > *, .ubik-markdown li, tr';

interface Snapshot {
  readonly html: string;
  readonly nodes: readonly Node[];
}

/** Asserts that the nodes of closed blocks are never replaced. */
class ClosedBlockObserver {
  /** Blocks that were rendered again. */
  readonly redrawn = new Set<Element>();
  /** Number of observed nodes. */
  count = 0;
  readonly #snapshots = new Map<Element, Snapshot>();
  readonly #box: Element;
  readonly #mutations = new MutationObserver(() => undefined);

  constructor(box: Element) {
    this.#box = box;
    this.#mutations.observe(box, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    });
  }

  /** The elements with a change inside them since the last call. */
  #takeChanged(): ReadonlySet<Node> {
    const changed = new Set<Node>();
    for (const { target } of this.#mutations.takeRecords()) {
      for (let node: Node | null = target; node && !changed.has(node); node = node.parentNode)
        changed.add(node);
    }
    return changed;
  }

  /** Compares the closed blocks with the last check. `step` is the text that was added since. */
  check(step: string): void {
    const changed = this.#takeChanged();
    for (const [block, before] of this.#snapshots) {
      const isRemoved = !this.#box.contains(block);
      if (!isRemoved && !changed.has(block)) continue;
      const what = `${before.html}\n… after ${JSON.stringify(step)}:\n${block.outerHTML}`;
      if (isRemoved) expect.fail(`Removed: ${what}`);
      const nodes = new Set(nodesOf(block));
      const lost = before.nodes.filter((node) => !nodes.has(node));
      if (lost.length === 0) continue;
      // The only exception: a block with a reference is rendered again when the definition arrives.
      if (before.html === block.outerHTML || !before.html.includes('[')) expect.fail(what);
      this.redrawn.add(block);
    }
    for (const block of this.#box.querySelectorAll(CLOSED)) {
      const isKnown = this.#snapshots.has(block);
      if ((isKnown && !changed.has(block)) || !hasFollower(block)) continue;
      const nodes = nodesOf(block);
      if (!isKnown) this.count += nodes.length;
      this.#snapshots.set(block, { html: block.outerHTML, nodes });
    }
  }
}

/** Whether another block follows, possibly in the next group. */
function hasFollower(block: Element): boolean {
  const next = block.nextElementSibling ?? block.parentElement?.nextElementSibling;
  return next != null && !next.matches('.ubik-footnotes');
}

function nodesOf(block: Element): Node[] {
  const walker = document.createTreeWalker(block);
  const nodes: Node[] = [block];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

/** Streams a text and checks it after each piece and at its end. */
function streamAndCheck(
  text: string,
  pieces: readonly string[],
  isCompared: boolean,
): ClosedBlockObserver {
  const { box, view, frames, add } = setupView();
  const observer = new ClosedBlockObserver(box);
  let soFar = '';
  for (const piece of pieces) {
    add(piece);
    soFar += piece;
    observer.check(piece);
    if (isCompared) expect(box.innerHTML, soFar).to.equal(renderAtOnce(soFar, false));
  }
  void view.end();
  frames.flush();
  observer.check('the end');
  expect(box.innerHTML).to.equal(renderAtOnce(text, true));
  return observer;
}

describe('closed Markdown blocks', () => {
  it('keep their nodes in random documents in random pieces', () => {
    let count = 0;
    let redrawn = 0;
    const seeds = seedsUpTo(120);
    for (const seed of seeds) {
      const random = createRandom(seed);
      const text = randomMarkdown(random, 14);
      const observer = streamAndCheck(text, randomPieces(random, text, 30), seed % 4 === 0);
      count += observer.count;
      redrawn += observer.redrawn.size;
    }
    expect(count).to.be.greaterThan(40 * seeds.length);
    expect(redrawn, 'some references are resolved late').to.be.greaterThan(0);
  });

  it('keep their nodes in a long document, character by character', () => {
    const random = createRandom(5);
    const text = Array.from({ length: 6 }, () => randomMarkdown(random, 10)).join('\n\n');
    expect(streamAndCheck(text, text.split(''), false).count).to.be.greaterThan(200);
  });
});
