import { expect } from '@open-wc/testing';
import { isExhaustive, sampleOf } from '../helpers/sample.js';
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

/** Number of words of a paragraph with several layout breaks: the empty blocks of `src/markdown/dom/layout-breaks.ts`. */
const MANY = isExhaustive ? 4000 : 2500;

/** A random paragraph of `count` words. */
function createWords(words: readonly string[], count: number, seed = 1): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => `${pickOne(random, words)} `);
}

/** Joins words to pieces of `count` words: fewer frames, each of which takes as long as the frame of a single word. */
const joinWords = (words: readonly string[], count: number): string[] =>
  Array.from({ length: Math.ceil(words.length / count) }, (_, at) =>
    words.slice(at * count, (at + 1) * count).join(''),
  );

/** The bottom, start and end of a line, in CSS pixels from the corner of the paragraph. */
type Line = readonly [bottom: number, from: number, to: number];

/** The lines of a paragraph. Text in a font of another height counts as a line of its own. */
function measureLines(paragraph: HTMLElement): Line[] {
  const { top, left } = paragraph.getBoundingClientRect();
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const lines = new Map<number, Line>();
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      const bottom = rect.bottom - top;
      // Positions in one line differ by less than a pixel, so that they may be rounded to neighbouring integers.
      const key = [0, -1, 1].map((by) => Math.round(bottom) + by).find((each) => lines.has(each));
      const [known, from, to] = lines.get(key ?? NaN) ?? [bottom, Infinity, -Infinity];
      const extent = [Math.min(from, rect.left - left), Math.max(to, rect.right - left)] as const;
      lines.set(key ?? Math.round(bottom), [known, ...extent]);
    }
  }
  return [...lines.values()];
}

/** Expects the same lines, with less than a pixel between their positions: engines round them. */
function expectLines(actual: readonly Line[], expected: readonly Line[]): void {
  const print = (line: Line): string => line.map((number) => number.toFixed(2)).join(' ');
  expect(actual.length).to.equal(expected.length);
  for (const [index, line] of expected.entries()) {
    const found = actual[index] ?? [NaN, NaN, NaN];
    const isSame = found.every((number, at) => Math.abs(number - (line[at] ?? NaN)) < 1);
    if (!isSame)
      expect(`${String(index)}: ${print(found)}`).to.equal(`${String(index)}: ${print(line)}`);
  }
}

/** Streams a paragraph piece by piece, without its end. */
async function stream(
  pieces: readonly string[],
): Promise<ReturnType<typeof setupViewInPage> & { readonly paragraph: HTMLElement }> {
  const fixture = setupViewInPage(pieces[0]);
  for (const piece of pieces.slice(1)) fixture.add(piece);
  await nextFrame();
  return { ...fixture, paragraph: find(fixture.box, 'p') };
}

const countBreaks = (paragraph: Element): number =>
  paragraph.querySelectorAll('.ubik-break').length;

/** Waits until idle callbacks have removed the layout breaks. */
async function whenJoined(paragraph: Element): Promise<void> {
  while (countBreaks(paragraph) > 0) await new Promise((resolve) => requestIdleCallback(resolve));
}

/** The lines of the same text rendered at once in the same width. */
function measureLinesAtOnce(text: string, width = '400px'): Line[] {
  const fixture = setupViewInPage(text);
  (fixture.root.host as HTMLElement).style.width = width;
  const lines = measureLines(find(fixture.box, 'p'));
  fixture.remove();
  return lines;
}

describe('very long open paragraph', () => {
  for (const [language, words] of [
    ['English', ENGLISH],
    ['Arabic', ARABIC],
    ['both', [...ENGLISH, ...ARABIC]],
    ['plain text', ['plain', 'words', 'only']],
    ['Chinese', ['没有空格的', '很长的，', '*段落*', '**文字**']],
  ] as const) {
    it(`has the same layout as when it is rendered at once (${language})`, async () => {
      const isChinese = language === 'Chinese';
      // Short words: fewer would have too few breaks.
      const count = isChinese || language === 'plain text' ? 4000 : MANY;
      const all = createWords(words, count).map((word) => (isChinese ? word.trim() : word));
      const pieces = [...joinWords(all, isChinese && !isExhaustive ? 3 : 1), ' The end.'];
      const { paragraph, view, frames, remove } = await stream(pieces);
      const whole = measureLinesAtOnce(pieces.join(''));
      if (language !== 'both') expect(countBreaks(paragraph)).to.be.greaterThan(2);
      expectLines(measureLines(paragraph), whole);
      void view.end();
      frames.flush();
      expectLines(measureLines(paragraph), whole);
      await whenJoined(paragraph);
      expectLines(measureLines(paragraph), whole);
      remove();
    });
  }

  it('has layout breaks before lines that start with an Arabic digit and a Latin letter', async () => {
    const pieces = ['Fruits: ', ...createWords(['٣apples', '٤pears', '٥plums'], MANY)];
    const { paragraph, remove } = await stream(pieces);
    expect(countBreaks(paragraph)).to.be.greaterThan(2);
    expectLines(measureLines(paragraph), measureLinesAtOnce(pieces.join('')));
    remove();
  });

  it('has the correct layout after a change of the width', async () => {
    const pieces = createWords(ENGLISH, MANY);
    const { paragraph, root, frames, add, remove } = await stream(pieces);
    const breaks = countBreaks(paragraph);
    await nextFrame();
    frames.flush();
    expect(countBreaks(paragraph), 'only the height has changed').to.equal(breaks);
    (root.host as HTMLElement).style.width = '300px';
    await nextFrame();
    frames.flush();
    expectLines(measureLines(paragraph), measureLinesAtOnce(pieces.join(''), '300px'));
    const more = createWords(ENGLISH, 2000, 2);
    more.forEach(add);
    expect(countBreaks(paragraph)).to.be.greaterThan(0);
    const all = [...pieces, ...more].join('');
    expectLines(measureLines(paragraph), measureLinesAtOnce(all, '300px'));
    remove();
  });

  it('is no longer observed for its size once it is closed', async () => {
    const { observe, disconnect } = ResizeObserver.prototype;
    const observers = new Set<ResizeObserver>();
    ResizeObserver.prototype.observe = function (...args) {
      observers.add(this);
      observe.apply(this, args);
    };
    ResizeObserver.prototype.disconnect = function () {
      observers.delete(this);
      disconnect.call(this);
    };
    try {
      const { view, frames, remove } = await stream(createWords(ENGLISH, MANY));
      expect(observers.size).to.equal(1);
      void view.end();
      frames.flush();
      expect(observers.size).to.equal(0);
      remove();
    } finally {
      Object.assign(ResizeObserver.prototype, { observe, disconnect });
    }
  });

  it('keeps a selection across a layout break', async () => {
    const pieces = joinWords(createWords(ENGLISH, MANY), 10);
    const { paragraph, root, view, frames, add, remove } = await stream(pieces.slice(0, 25));
    const selection = document.getSelection();
    let added = 0;
    for (const piece of pieces.slice(25)) {
      add(piece);
      if (countBreaks(paragraph) === 0) selection?.selectAllChildren(paragraph);
      // Enough to lay out the text after the break in several lines.
      else if ((added += 1) === 50) break;
    }
    // WebKit returns the host of a shadow root for its selected nodes, except by `getComposedRanges`.
    const [range] = selection?.getComposedRanges?.({ shadowRoots: [root] }) ?? [
      selection?.getRangeAt(0),
    ];
    const from = range?.startContainer;
    const layoutBreak = find(paragraph, '.ubik-break');
    const [before, after] = [layoutBreak.previousSibling as Text, layoutBreak.nextSibling as Text];
    expect(from).to.equal(paragraph);
    // In some engines the text before the break is a single word.
    selection?.setBaseAndExtent(before, Math.max(0, before.length - 6), after, 6);
    const selectedText = selection?.toString();
    expect(selectedText?.replace('\n', ' ')).to.equal(
      before.data.slice(-6) + after.data.slice(0, 6),
    );
    void view.end();
    frames.flush();
    await whenJoined(paragraph);
    expect(selection?.toString()).to.equal(selectedText?.replace('\n', ' '));
    remove();
  });

  it('renders without layout breaks when it becomes a heading or a reference is resolved', async () => {
    const pieces = ['[late] ', ...joinWords(createWords(ENGLISH, 2000), 4)];
    const text = pieces.join('');
    for (const end of ['\n===\n\n', '\n\n[late]: https://late.test/\n\n']) {
      const { box, paragraph, view, frames, remove } = await stream(pieces);
      expect(countBreaks(paragraph)).to.be.greaterThan(0);
      view.append(`${end}Next.`);
      // One frame, before any idle callback.
      frames.frame();
      const shown = find(box, end.includes('=') ? 'h1' : 'p');
      const atOnce = setupViewInPage(text + end);
      const wanted = find(atOnce.box, shown.localName);
      expect(countBreaks(shown)).to.equal(0);
      shown.normalize();
      wanted.normalize();
      expect(shown.innerHTML).to.equal(wanted.innerHTML);
      atOnce.remove();
      remove();
    }
  });

  it('renders the same as without layout breaks in every kind of block while the width changes', async () => {
    const words = [...ENGLISH, ...ARABIC, '[late]', 'soft\nbreak', '~~gone~~'];
    const prefixes = sampleOf(['', '> ', '> 1. ', '- - ', '# ', '- [x] '], 2);
    const step = isExhaustive ? 97 : 197;
    // Each change of the width removes all breaks, so the text between two changes must be long enough for two.
    const widthStep = step * Math.ceil(7000 / step);
    let maxBreaks = 0;
    for (const [seed, prefix] of prefixes.entries()) {
      const pieces = createWords(words, 2000, seed).map((word) =>
        prefix === '# ' ? word.replace('\n', ' ') : word,
      );
      const text = `${prefix}${pieces.join('')}\n\n${pieces.join('')}\n===\n\n[late]: https://late.test/\n`;
      const { box, root, view, frames, add, remove } = setupViewInPage();
      for (let at = 0; at < text.length; at += step) {
        add(text.slice(at, at + step));
        maxBreaks = Math.max(maxBreaks, countBreaks(box));
        if (at % widthStep === 0) {
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
    expect(maxBreaks).to.be.greaterThan(1);
  });
});
