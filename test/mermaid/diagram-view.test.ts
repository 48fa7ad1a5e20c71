import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import { createMermaidRenderer } from '../../src/mermaid/mermaid.js';
import { MAX_SOURCE_LENGTH } from '../../src/mermaid/drawing.js';
import { find, nextFrame } from '../markdown/setup-page-view.js';
import { draw, setupDiagramPage, type DiagramPage } from './mermaid-fixture.js';

const SOURCE = 'flowchart TD\n A --> B';
const FENCE = `\`\`\`mermaid\n${SOURCE}\n\`\`\`\n\n`;
const READY = { kind: 'ready' } as const;
const INVALID = { kind: 'invalid', message: 'Parse error' } as const;

/** The sources that are visible, without those in closed disclosures. */
const listShownSources = (box: Element): HTMLElement[] =>
  [...box.querySelectorAll('pre')].filter((pre) => pre.checkVisibility());

const textOf = ({ textContent }: Element): string => textContent.trim();

/** The left and right edge of the text of an element. */
function edgesOf(element: Element): readonly [left: number, right: number] {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
}

describe('a diagram', () => {
  let page: DiagramPage;
  const heightOf = (): number => find(page.box, '.ubik-code').offsetHeight;
  const rect = (): HTMLElement => find(page.box, 'rect');

  /** Shows a text with one diagram, to whose source the frame replies. */
  async function setup(
    reply: Parameters<DiagramPage['answer']>[0],
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    page = setupDiagramPage('');
    for (const [name, value] of Object.entries(attributes)) page.host.setAttribute(name, value);
    page.host.style.width = '400px';
    page.add(`${FENCE}Text below.\n\n`);
    await page.answer(READY);
    await page.answer(reply);
    await page.waitForDiagrams(1);
  }

  afterEach(async () => {
    await emulateMedia({ media: 'screen' });
    page.remove();
  });

  it('keeps the height of its source while the frame loads and draws', async () => {
    page = setupDiagramPage(`\`\`\`mermaid\n${SOURCE}\n`);
    const height = heightOf();
    page.add('```\n\nText below.\n\n');
    const { offsetTop } = find(page.box, 'p');
    const places = (): number[] => [heightOf(), find(page.box, 'p').offsetTop];
    const loaded = await page.take();
    expect(places(), 'while the frame loads').to.deep.equal([height, offsetTop]);
    loaded.answer(READY);
    const request = await page.take();
    expect(places(), 'while it draws').to.deep.equal([height, offsetTop]);
    request.answer(draw(100, 300));
    await page.waitForDiagrams(1);
    const [above, below] = [find(page.box, 'svg'), find(page.box, 'details')].map((part) =>
      part.getBoundingClientRect(),
    );
    const { top, bottom } = find(page.box, '.ubik-mermaid').getBoundingClientRect();
    expect(above && above.top - top, 'equal paddings').to.equal(below && bottom - below.bottom);
    expect(listShownSources(page.box)).to.deep.equal([]);
  });

  it('is not drawn again, and keeps its height, when the colour scheme changes', async () => {
    await setup(draw(100, 300), { style: 'color-scheme: light' });
    const [height, drawing] = [heightOf(), rect()];
    expect(getComputedStyle(drawing).fill).to.equal('rgb(1, 2, 3)');
    page.host.style.colorScheme = 'dark';
    await nextFrame();
    expect(getComputedStyle(drawing).fill).to.equal('rgb(250, 251, 252)');
    expect([heightOf(), rect()]).to.deep.equal([height, drawing]);
  });

  it('keeps its height when the text is rendered again', async () => {
    await setup(draw(100, 300));
    const [height, drawing] = [heightOf(), rect()];
    page.view.redraw();
    page.frames.flush();
    // Called before the next frame is painted.
    await new Promise(requestAnimationFrame);
    expect(rect()).not.to.equal(drawing);
    expect(heightOf()).to.equal(height);
  });

  it('keeps its drawing when the text is rendered again in another font, until it is drawn in that', async () => {
    await setup(draw(100, 300));
    const height = heightOf();
    page.host.style.fontFamily = 'monospace';
    page.view.redraw();
    page.frames.flush();
    await new Promise(requestAnimationFrame);
    expect(heightOf()).to.equal(height);
    const { data, answer } = await page.take();
    expect(data).to.deep.equal({ source: `${SOURCE}\n`, fontFamily: 'monospace,sans-serif' });
    expect(heightOf()).to.equal(height);
    answer(draw(120, 310));
    while (rect().getAttribute('width') !== '120') await nextFrame();
    expect(heightOf()).to.equal(height + 10);
  });

  it('is drawn once when its text ends before the fence and is continued while the frame loads', async () => {
    page = setupDiagramPage(`\`\`\`mermaid\n${SOURCE}`);
    void page.view.end();
    const loaded = await page.take();
    const box = find(page.box, '.ubik-fence');
    page.add('\n```\n\nText below.\n\n');
    expect(find(page.box, '.ubik-fence')).not.to.equal(box);
    loaded.answer(READY);
    await page.answer(draw(100, 300));
    await page.waitForDiagrams(1);
    expect(rect().getAttribute('height')).to.equal('300');
    expect(find(page.box, '.ubik-code').nextElementSibling?.textContent).to.equal('Text below.');
  });

  it('is drawn when the chat is moved while the frame loads or draws', async () => {
    page = setupDiagramPage(FENCE);
    const move = (): void => document.body.append(page.host);
    await page.take();
    move();
    await page.answer(READY);
    await page.take();
    move();
    await page.answer(READY);
    await page.answer(draw(100, 300));
    await page.waitForDiagrams(1);
  });

  /** Shows a diagram in another window, whose frame is loaded and has not replied. */
  async function setupInOtherWindow(): Promise<HTMLElement> {
    const other = document.createElement('iframe');
    document.body.append(other);
    page = setupDiagramPage('');
    other.contentDocument?.body.append(page.host);
    page.add(FENCE);
    await page.take();
    return other;
  }

  it('is drawn when the chat is moved out of a window that is closed', async () => {
    const other = await setupInOtherWindow();
    document.body.append(page.host);
    other.remove();
    await page.answer(READY);
    await page.answer(draw(100, 300));
    await page.waitForDiagrams(1);
  });

  it('is drawn after the window of an earlier diagram was closed', async () => {
    const other = await setupInOtherWindow();
    other.remove();
    await page.waitForDiagrams(1);
    document.body.append(page.host);
    page.add(`${FENCE}Text below.\n\n`);
    await page.answer(READY);
    await page.answer(draw(100, 300));
    await page.waitForDiagrams(2);
    expect(page.box.querySelectorAll('rect').length).to.equal(1);
  });

  it('has its source from left to right, and its label and sentence at the right, in a text from right to left', async () => {
    await setup(draw(100, 300), { dir: 'rtl', lang: 'ar' });
    const content = find(page.box, 'details').getBoundingClientRect();
    find(page.box, 'summary').click();
    const { right } = find(page.box, 'summary').getBoundingClientRect();
    expect(right).to.be.closeTo(content.right, 1);
    const [source] = listShownSources(page.box);
    const start = source?.getBoundingClientRect().left ?? 0;
    expect(source && edgesOf(source)[0] - start, 'within the padding').to.be.within(0, 16);
    const drawing = find(page.box, 'svg').getBoundingClientRect();
    expect(drawing.left - content.left, 'centred').to.be.closeTo(content.right - drawing.right, 1);
    page.remove();
    await setup(INVALID, { dir: 'rtl', lang: 'ar' });
    const sentence = find(page.box, '.ubik-mermaid > p');
    expect(sentence.textContent).to.equal('تعذّر رسم المخطط لأن مصدره يحتوي على خطأ.');
    expect(edgesOf(sentence)[1]).to.be.closeTo(content.right, 1);
    const [left] = edgesOf(find(page.box, '.ubik-mermaid > pre'));
    expect(left).to.be.closeTo(content.left, 1);
  });

  it('is scrolled from its right, with its label in view, in a text from right to left', async () => {
    await setup(draw(3000, 300), { dir: 'rtl', lang: 'ar' });
    const area = find(page.box, '.ubik-fence');
    expect(area.scrollWidth).to.be.greaterThan(1500);
    expect(page.box.scrollWidth).to.equal(400);
    const bounds = area.getBoundingClientRect();
    const [left, right] = edgesOf(find(page.box, 'summary'));
    expect(left).to.be.greaterThan(bounds.left);
    expect(right).to.be.lessThan(bounds.right);
  });

  it('is printed in the colours of the light scheme and in the width of the page, without its label', async () => {
    await setup(draw(3000, 300), { style: 'color-scheme: dark' });
    await emulateMedia({ media: 'print' });
    expect(getComputedStyle(rect()).fill).to.equal('rgb(1, 2, 3)');
    expect(find(page.box, 'svg').checkVisibility()).to.equal(true);
    const area = find(page.box, '.ubik-fence');
    expect(area.scrollWidth).to.equal(area.clientWidth);
    expect(find(page.box, 'details').getClientRects().length).to.equal(0);
    expect(listShownSources(page.box)).to.deep.equal([]);
  });

  it('is printed with its source when that is open', async () => {
    await setup(draw(100, 300));
    find(page.box, 'summary').click();
    await emulateMedia({ media: 'print' });
    expect(listShownSources(page.box).map(textOf)).to.deep.equal([SOURCE]);
  });

  it('is printed as source before it is drawn, and with a sentence when it cannot be drawn', async () => {
    page = setupDiagramPage(FENCE);
    await emulateMedia({ media: 'print' });
    const texts = (): string[] =>
      [...page.box.querySelectorAll('.ubik-mermaid > p'), ...listShownSources(page.box)].map(
        textOf,
      );
    expect(texts()).to.deep.equal([SOURCE]);
    await page.answer(READY);
    await page.answer(INVALID);
    await page.waitForDiagrams(1);
    const sentence = 'The diagram cannot be drawn, because its source has an error.';
    expect(texts()).to.deep.equal([sentence, 'Parse error', SOURCE]);
  });
});

describe('the diagrams of a text', () => {
  let page: DiagramPage;

  beforeEach(async () => {
    page = setupDiagramPage(FENCE);
    await page.answer(READY);
  });

  afterEach(() => page.remove());

  it('are drawn up to fifty, and further ones stay source', async () => {
    await page.answer(draw(10, 10));
    await page.waitForDiagrams(1);
    // The rest is in a section of a long text.
    page.add('Text.\n\n'.repeat(500) + FENCE.repeat(51));
    await page.waitForDiagrams(50);
    await nextFrame();
    const [...blocks] = page.box.querySelectorAll('.ubik-code');
    expect(blocks.length).to.equal(52);
    const areDrawn = blocks.map((block) => block.querySelector('svg') !== null);
    expect(areDrawn).to.deep.equal([...Array.from({ length: 50 }, () => true), false, false]);
    const sources = listShownSources(page.box).map(textOf);
    expect(sources).to.deep.equal([SOURCE, SOURCE]);
    page.view.redraw();
    page.frames.flush();
    await page.waitForDiagrams(50);
  });

  it('have at most 30,000 elements, and what exceeds them stays source with a sentence', async () => {
    const group = { name: 'g', attributes: [], children: [] };
    await page.answer(draw(10, 10, ...Array.from({ length: 5900 }, () => group)));
    await page.waitForDiagrams(1);
    page.add(FENCE.repeat(5));
    await page.waitForDiagrams(6);
    const last = find(page.box, '.ubik-code:last-child');
    expect(page.box.querySelectorAll('svg').length).to.equal(5);
    expect(last.querySelector('p')?.textContent).to.equal('The diagram is too large to be drawn.');
    expect(listShownSources(page.box).map(textOf)).to.deep.equal([SOURCE]);
  });
});

describe('the code that draws diagrams', () => {
  it('is loaded again for the next diagram when it could not be loaded', async () => {
    let attempts = 0;
    // The first attempt to find the renderer throws, as a failed import does.
    const script = {
      toString() {
        attempts += 1;
        if (attempts === 1) throw new TypeError('Failed to fetch');
        return '/mermaid-again.js';
      },
    };
    const renderFence = createMermaidRenderer({ script: script as unknown as string });
    const box = document.createElement('div');
    // This source is explained without a frame.
    const source = 'x'.repeat(MAX_SOURCE_LENGTH + 1);
    const drawAgain = async (): Promise<void> => {
      await renderFence('mermaid', source, { box, language: 'mermaid', meta: '', open: false });
    };
    const [first] = await Promise.allSettled([drawAgain()]);
    expect([first.status, attempts]).to.deep.equal(['rejected', 1]);
    await drawAgain();
    await drawAgain();
    expect(attempts).to.equal(2);
    expect(box.querySelector('.ubik-mermaid')).not.to.equal(null);
  });
});
