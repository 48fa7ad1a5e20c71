import { expect } from '@open-wc/testing';
import { createRandom } from '../helpers/seeded-random.js';
import { loadExamples } from './commonmark-examples.js';
import { damage, randomMarkdown, randomPieces } from './random-markdown.js';
import { setupView, renderAtOnce } from './setup-view.js';
import { isExhaustive, seedsUpTo } from '../helpers/sample.js';

const mark = (key: string): Node => {
  const node = document.createElement('sup');
  node.textContent = key;
  return node;
};

/** Appends a text in pieces and compares it, `checks` times, with the same text rendered at once. */
function expectEqual(text: string, pieces: readonly string[], checks = pieces.length): void {
  const every = Math.ceil(pieces.length / checks);
  const { box, view, frames, add } = setupView({ renderMark: mark });
  let soFar = '';
  for (const [index, piece] of pieces.entries()) {
    add(piece);
    soFar += piece;
    if ((pieces.length - index) % every !== 0) continue;
    const whole = renderAtOnce(soFar, false, { renderMark: mark });
    if (box.innerHTML !== whole) {
      expect.fail(`After ${JSON.stringify(soFar)}:\n${difference(box.innerHTML, whole)}`);
    }
  }
  void view.end();
  frames.flush();
  expect(box.innerHTML, JSON.stringify(text)).to.equal(
    renderAtOnce(text, true, { renderMark: mark }),
  );
}

/** Two texts around their first difference. */
function difference(a: string, b: string): string {
  let at = 0;
  while (a.charAt(at) === b.charAt(at)) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 200);
  return `${around(a)}\nis not\n${around(b)}`;
}

/** Appends a text character by character and compares it after each, or in a sample after every fourth. */
function expectEqualByCharacter(text: string, characters: readonly string[]): void {
  expectEqual(text, characters, Math.ceil(characters.length / (isExhaustive ? 1 : 4)));
}

describe('streamed Markdown text', () => {
  it('renders every prefix of every CommonMark example as at once', async () => {
    for (const { markdown } of await loadExamples())
      expectEqualByCharacter(markdown, [...markdown]);
  });

  it('renders random documents as at once, character by character', () => {
    for (const seed of seedsUpTo(40)) {
      const text = randomMarkdown(createRandom(seed), 5).slice(0, 500);
      expectEqualByCharacter(text, text.split(''));
    }
  });

  it('renders random documents as at once, line by line', () => {
    for (const seed of seedsUpTo(81, 100)) {
      const text = randomMarkdown(createRandom(seed), 12);
      expectEqual(text, text.split(/(?<=\n)/), 12);
    }
  });

  it('renders random documents as at once, in random pieces', () => {
    for (const seed of seedsUpTo(81, 300)) {
      const random = createRandom(seed);
      const text = randomMarkdown(random, 12);
      expectEqual(text, randomPieces(random, text, 40), 12);
    }
  });

  it('renders damaged random documents as at once', () => {
    for (const seed of seedsUpTo(81, 700)) {
      const random = createRandom(seed);
      const text = damage(random, randomMarkdown(random, 5)).slice(0, 2000);
      expectEqual(text, randomPieces(random, text, 12), 20);
    }
  });

  it('renders texts with interfering constructs as at once', () => {
    const texts = [
      'go *a*** b c d e\n',
      'go *x text****both** one*5%\nand 3*4 beta 3*4 more words\n',
      '*[a](b)***both** one* and more\n',
      '[a_b(so) https://auto.test/x, www.auto.test/x.][ref1] and more\n',
      '&copy; __![ and so on\n',
      '[ref]:\n  /next\n"title"\n[ref] of itself and more\n\nend',
      '[ref]: /u\ntext\n| a |\n|---|\n| b |\n',
      'x<y text ![open beta ***both** on',
      'a\\_b@mail.test and a_b@mail.test end ',
      'text\n1. \u3000 a\n',
      'text\n-  \u00a0x\n\n```\n``` \u00a0\nx',
    ];
    for (const text of texts) expectEqual(text, text.split(''));
  });

  it('shows the local part of a mail address before its domain has arrived', () => {
    const { box, add } = setupView();
    add('Write to ada@');
    expect(box.textContent).to.equal('Write to ada');
  });

  it('renders the longest emphasis after unclosed code as at once', () => {
    const text = `*a ${'word '.repeat(700)}\`b* c ${'word '.repeat(400)}`;
    expectEqual(text, text.match(/[^]{1,300}/g) ?? []);
  });

  it('renders long runs of spaces as at once', () => {
    for (const start of ['', 'a', '> ', '- ', '# a #', '# a', '| a |\n|---|\n| b', 'a **', '`']) {
      const spaces = ' '.repeat(3000);
      const pieces = [start, spaces, spaces, ' ', ' b', spaces, spaces, '\n', 'c'];
      expectEqual(pieces.join(''), pieces);
    }
  });

  it('renders carriage returns as at once', () => {
    for (const seed of seedsUpTo(31, 500)) {
      const random = createRandom(seed);
      const text = randomMarkdown(random, 6).replaceAll('\n', '\r\n');
      expectEqual(text, randomPieces(random, text, 9));
    }
  });

  it('keeps the nodes of closed blocks', () => {
    const random = createRandom(7);
    const documents = Array.from({ length: 30 }, () => randomMarkdown(random, 12));
    const text = documents.join('\n\n');
    const { box, view, frames, add } = setupView();
    const seen: Node[] = [];
    for (const piece of text.split(/(?<=\n)/)) {
      add(piece);
      const blocks = [...box.children].flatMap((group) => [...group.children]);
      const closed = blocks.slice(0, -2);
      for (const [index, node] of seen.entries()) expect(closed[index]).to.equal(node);
      seen.splice(0, seen.length, ...closed);
    }
    void view.end();
    frames.flush();
    const blocks = [...box.children].flatMap((group) => [...group.children]);
    for (const [index, node] of seen.entries()) expect(blocks[index]).to.equal(node);
    expect(seen.length).to.be.greaterThan(80);
  });
});
