import { expect } from '@open-wc/testing';
import { createRandom } from '../helpers/seeded-random.js';
import { randomMarkdown, randomPieces } from './random-markdown.js';
import { setupView, renderAtOnce } from './setup-view.js';
import { seedsUpTo } from '../helpers/sample.js';

/** What is closed at the latest when something follows it: blocks, at any depth, items and rows. */
const CLOSED = '.ubik-markdown > *, .ubik-markdown blockquote > *, .ubik-markdown li, tr';

interface Seen {
  readonly html: string;
  readonly nodes: readonly Node[];
}

/** Watches what is closed: its nodes stay, whatever comes. */
class Watch {
  /** Blocks that were drawn once more. */
  readonly redrawn = new Set<Element>();
  /** Nodes that were watched. */
  count = 0;
  readonly #seen = new Map<Element, Seen>();
  readonly #box: Element;

  constructor(box: Element) {
    this.#box = box;
  }

  /** Compares with what was seen the last time. `step` tells what came since. */
  look(step: string): void {
    for (const [block, before] of this.#seen) {
      const what = `${before.html}\n… after ${JSON.stringify(step)}:\n${block.outerHTML}`;
      if (!this.#box.contains(block)) expect.fail(`Gone: ${what}`);
      const nodes = new Set(nodesOf(block));
      const lost = before.nodes.filter((node) => !nodes.has(node));
      if (lost.length === 0) continue;
      // The one exception: a reference, which stood as text until its definition came.
      if (before.html === block.outerHTML || !before.html.includes('[')) expect.fail(what);
      this.redrawn.add(block);
    }
    for (const block of this.#box.querySelectorAll(CLOSED)) {
      if (!hasFollower(block)) continue;
      const nodes = nodesOf(block);
      if (!this.#seen.has(block)) this.count += nodes.length;
      this.#seen.set(block, { html: block.outerHTML, nodes });
    }
  }
}

/** Whether another block stands behind one, be it in the next group. */
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

/** Streams a text and watches it after each piece, up to its end. */
function watch(text: string, pieces: readonly string[], isCompared: boolean): Watch {
  const { box, view, frames, add } = setupView();
  const watched = new Watch(box);
  let sofar = '';
  for (const piece of pieces) {
    add(piece);
    sofar += piece;
    watched.look(piece);
    if (isCompared) expect(box.innerHTML, sofar).to.equal(renderAtOnce(sofar, false));
  }
  void view.end();
  frames.flush();
  watched.look('the end');
  expect(box.innerHTML).to.equal(renderAtOnce(text, true));
  return watched;
}

describe('What is closed', () => {
  it('keeps all of its nodes until the end, in random documents in random pieces', () => {
    let count = 0;
    let redrawn = 0;
    const seeds = seedsUpTo(120);
    for (const seed of seeds) {
      const random = createRandom(seed);
      const text = randomMarkdown(random, 14);
      const watched = watch(text, randomPieces(random, text, 30), seed % 4 === 0);
      count += watched.count;
      redrawn += watched.redrawn.size;
    }
    expect(count).to.be.greaterThan(40 * seeds.length);
    expect(redrawn, 'some references are late').to.be.greaterThan(0);
  });

  it('keeps them in a long document, character by character', () => {
    const random = createRandom(5);
    const text = Array.from({ length: 6 }, () => randomMarkdown(random, 10)).join('\n\n');
    expect(watch(text, text.split(''), false).count).to.be.greaterThan(200);
  });
});
