import { expect } from '@open-wc/testing';
import { createRandom, pickOne } from '../helpers/seeded-random.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { renderAtOnce } from './setup-view.js';
import { find, nextFrame, setupViewInPage } from './setup-page-view.js';

const ENGLISH = [
  'plain',
  'words',
  '*slanted ones*',
  '**loud**',
  '`code()`',
  '[a link](https://a.test/)',
];
const ARABIC = ['كلمات', 'عادية', '*مائلة*', '**عالية**', 'English', '[رابط](https://a.test/)'];

/** A paragraph of so many words. */
function write(words: readonly string[], count: number, seed = 1): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => `${pickOne(random, words)} `);
}

/** Where the letters of a paragraph stand: the top and the left of each text, of each of its lines. */
function placesOf(paragraph: HTMLElement): string {
  const { top, left } = paragraph.getBoundingClientRect();
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const places = new Map<number, { from: number; to: number }>();
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      const line = Math.round(rect.bottom - top);
      const known = places.get(line) ?? { from: Infinity, to: -Infinity };
      const [from, to] = [rect.left - left, rect.right - left];
      places.set(line, { from: Math.min(known.from, from), to: Math.max(known.to, to) });
    }
  }
  return [...places]
    .map(([line, { from, to }]) => `${line}: ${from.toFixed(0)}–${to.toFixed(0)}`)
    .join('\n');
}

/** Streams a paragraph word by word, and gives it as it stands before its end. */
async function stream(
  pieces: readonly string[],
): Promise<ReturnType<typeof setupViewInPage> & { readonly paragraph: HTMLElement }> {
  const stage = setupViewInPage(pieces[0]);
  for (const piece of pieces.slice(1)) stage.add(piece);
  await nextFrame();
  return { ...stage, paragraph: find(stage.box, 'p') };
}

const countCuts = (paragraph: Element): number => paragraph.querySelectorAll('.ubik-break').length;

/** The page had nothing to do, and the cuts are gone. */
async function whenJoined(paragraph: Element): Promise<void> {
  while (countCuts(paragraph) > 0) await new Promise((resolve) => requestIdleCallback(resolve));
}

/** The same text, given at once in a page of the same width. */
function placesAtOnce(text: string, width = '400px'): string {
  const stage = setupViewInPage(text);
  (stage.root.host as HTMLElement).style.width = width;
  const places = placesOf(find(stage.box, 'p'));
  stage.remove();
  return places;
}

describe('A very long paragraph that grows', () => {
  for (const [language, words] of [
    ['English', ENGLISH],
    ['Arabic', ARABIC],
    ['both', [...ENGLISH, ...ARABIC]],
    ['plain text', ['plain', 'words', 'only']],
    ['Chinese', ['没有空格的', '很长的，', '*段落*', '**文字**']],
  ] as const) {
    it(`stands where it would stand if it were given at once (${language})`, async () => {
      const isChinese = language === 'Chinese';
      const pieces = write(words, 4000).map((word) => (isChinese ? word.trim() : word));
      pieces.push(' The end.');
      const { paragraph, view, frames, remove } = await stream(pieces);
      const whole = placesAtOnce(pieces.join(''));
      if (language !== 'both') expect(countCuts(paragraph)).to.be.greaterThan(2);
      expect(placesOf(paragraph)).to.equal(whole);
      void view.end();
      frames.flush();
      expect(placesOf(paragraph)).to.equal(whole);
      await whenJoined(paragraph);
      expect(placesOf(paragraph)).to.equal(whole);
      remove();
    });
  }

  it('stands right in another width', async () => {
    const pieces = write(ENGLISH, 4000);
    const { paragraph, root, frames, add, remove } = await stream(pieces);
    (root.host as HTMLElement).style.width = '300px';
    await nextFrame();
    frames.flush();
    expect(placesOf(paragraph)).to.equal(placesAtOnce(pieces.join(''), '300px'));
    const more = write(ENGLISH, 2000, 2);
    more.forEach(add);
    expect(countCuts(paragraph)).to.be.greaterThan(0);
    const all = [...pieces, ...more].join('');
    expect(placesOf(paragraph)).to.equal(placesAtOnce(all, '300px'));
    remove();
  });

  it('is not watched any more when it is whole', async () => {
    const { observe, disconnect } = ResizeObserver.prototype;
    const watching = new Set<ResizeObserver>();
    ResizeObserver.prototype.observe = function (...ask) {
      watching.add(this);
      observe.apply(this, ask);
    };
    ResizeObserver.prototype.disconnect = function () {
      watching.delete(this);
      disconnect.call(this);
    };
    try {
      const { view, frames, remove } = await stream(write(ENGLISH, 4000));
      expect(watching.size).to.equal(1);
      void view.end();
      frames.flush();
      expect(watching.size).to.equal(0);
      remove();
    } finally {
      Object.assign(ResizeObserver.prototype, { observe, disconnect });
    }
  });

  it('keeps what is selected', async () => {
    const pieces = write(ENGLISH, 4000);
    const { paragraph, view, frames, add, remove } = await stream(pieces.slice(0, 100));
    const selection = document.getSelection();
    for (const piece of pieces.slice(100)) {
      add(piece);
      if (countCuts(paragraph) === 0) selection?.selectAllChildren(paragraph);
    }
    const from = selection?.getRangeAt(0).startContainer;
    const cut = find(paragraph, '.ubik-break');
    const [before, after] = [cut.previousSibling as Text, cut.nextSibling as Text];
    expect(from).to.equal(paragraph);
    selection?.setBaseAndExtent(before, before.length - 6, after, 6);
    const said = selection?.toString();
    expect(said?.replace('\n', ' ')).to.equal(before.data.slice(-6) + after.data.slice(0, 6));
    void view.end();
    frames.flush();
    await whenJoined(paragraph);
    expect(selection?.toString()).to.equal(said?.replace('\n', ' '));
    remove();
  });

  it('says what it said when it turns into a heading, or when a reference gets its meaning', async () => {
    const text = `[late] ${write(ENGLISH, 2000).join('')}`;
    for (const end of ['\n===\n\n', '\n\n[late]: https://late.test/\n\n']) {
      const { box, paragraph, view, frames, remove } = await stream(text.split(/(?<= )/));
      expect(countCuts(paragraph)).to.be.greaterThan(0);
      view.append(`${end}Next.`);
      // One frame: nothing has waited for an idle moment.
      frames.frame();
      const shown = find(box, end.includes('=') ? 'h1' : 'p');
      const atOnce = setupViewInPage(text + end);
      const wanted = find(atOnce.box, shown.localName);
      expect(countCuts(shown)).to.equal(0);
      shown.normalize();
      wanted.normalize();
      expect(shown.innerHTML).to.equal(wanted.innerHTML);
      atOnce.remove();
      remove();
    }
  });

  it('ends as it would look without, in every kind of block and while the width changes', async () => {
    const words = [...ENGLISH, ...ARABIC, '[late]', 'soft\nbreak', '~~gone~~'];
    const heads = ['', '> ', '- - ', '> 1. ', '- [x] ', '# '];
    let most = 0;
    for (const [seed, head] of heads.entries()) {
      const pieces = write(words, 2000, seed).map((word) =>
        seed > 4 ? word.replace('\n', ' ') : word,
      );
      const text = `${head}${pieces.join('')}\n\n${pieces.join('')}\n===\n\n[late]: https://late.test/\n`;
      const { box, root, view, frames, add, remove } = setupViewInPage();
      for (let at = 0; at < text.length; at += 97) {
        add(text.slice(at, at + 97));
        most = Math.max(most, countCuts(box));
        if (at % 50 === 0) {
          (root.host as HTMLElement).style.width = `${300 + (at % 7) * 20}px`;
          await nextFrame();
        }
      }
      void view.end();
      frames.flush();
      box.normalize();
      const whole = renderAtOnce(text, true, { urlPolicy: createUrlPolicy() });
      expect(box.innerHTML).to.equal(whole);
      remove();
    }
    expect(most).to.be.greaterThan(1);
  });
});
