import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MAX_SERIES } from '../../src/message/data/chart-data.js';
import { setupGallery } from './gallery-fixture.js';

/** Pairs of adjacent colours: foreground, background, and minimum contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS = [
  ...['text', 'muted', 'accent', 'danger'].flatMap((ink) =>
    ['background', 'surface', 'tint'].map((paper) => [ink, paper, 4.5] as const),
  ),
  ['on-accent', 'accent', 4.5],
  ['background', 'text', 4.5],
  ...['background', 'surface', 'tint'].map((paper) => ['field-line', paper, 3] as const),
  ['success', 'background', 3],
  ['success', 'surface', 3],
] as const;

type Pair = (typeof PAIRS)[number];

/** Runs in a page with a chat: returns the pairs with too little contrast, and their ratio. */
function findFaintPairs(pairs: readonly Pair[]): string[] {
  const root = document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.ubik');
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!root || !context) throw new Error('There is no chat, or no canvas.');
  const probe = root.appendChild(document.createElement('i'));
  /** Paints a token over what was painted before, and returns red, green and blue (0 to 1) of the result. */
  const paint = (token: string): number[] => {
    probe.style.color = `var(--_${token})`;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((channel) => channel / 255);
  };
  const luminance = (channels: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
      channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = pairs.flatMap(([ink, paper, minimum]) => {
    // Tokens may be translucent, so each is painted over the colours behind it.
    paint('background');
    const behind = luminance(paint(paper));
    const front = luminance(paint(ink));
    const ratio = (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05);
    return ratio < minimum ? [`${ink} on ${paper}: ${ratio.toFixed(2)}, not ${minimum}`] : [];
  });
  probe.remove();
  return found;
}

/** Runs in a page with a chart: returns the colours of series with too little contrast to the background, and their ratio (WCAG 2.2, 1.4.11). */
function findFaintSeries(seriesCount: number): string[] {
  const palette = document.querySelector('ubik-transcript')?.shadowRoot?.querySelector('.palette');
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!palette || !context) throw new Error('There is no chart, or no canvas.');
  // In the palette of the view, the colours of text, secondary text, lines and background precede those of the series.
  const [, , , background = 0, ...series] = [...palette.children].map((child) => {
    context.fillStyle = getComputedStyle(child).color;
    context.fillRect(0, 0, 1, 1);
    const channels = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((channel) => {
      const value = channel / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    const [red = 0, green = 0, blue = 0] = channels;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  if (series.length !== seriesCount) throw new Error(`The palette has ${series.length} series.`);
  return series.flatMap((color, index) => {
    const ratio = (Math.max(color, background) + 0.05) / (Math.min(color, background) + 0.05);
    return ratio < 3 ? [`series ${index + 1}: ${ratio.toFixed(2)}, not 3`] : [];
  });
}

suite('contrast of adjacent colours is sufficient', () => {
  const open = setupGallery();

  test('for the design tokens in every theme, light and dark', async (context) => {
    const gallery = open();
    if (!gallery)
      return context.skip('The Chromium of the development packages does not run here.');
    const found: string[] = [];
    const themes = await gallery.listThemes();
    await gallery.show(['chat-plain']);
    for (const theme of themes) {
      for (const scheme of ['light', 'dark'] as const) {
        await gallery.switchTo({ theme, scheme });
        const faint = await gallery.page.evaluate(findFaintPairs, PAIRS);
        found.push(...faint.map((text) => `${theme || 'no theme'}, ${scheme}: ${text}`));
      }
    }
    assert.ok(themes.length > 1);
    assert.deepEqual(found, []);
  });

  test('for the series of a chart and its background in every theme, light and dark', async (context) => {
    const gallery = open();
    if (!gallery)
      return context.skip('The Chromium of the development packages does not run here.');
    const found: string[] = [];
    const themes = await gallery.listThemes();
    await gallery.show(['data-chart-line']);
    for (const theme of themes) {
      for (const scheme of ['light', 'dark'] as const) {
        await gallery.switchTo({ theme, scheme });
        const faint = await gallery.page.evaluate(findFaintSeries, MAX_SERIES);
        found.push(...faint.map((text) => `${theme || 'no theme'}, ${scheme}: ${text}`));
      }
    }
    assert.deepEqual(found, []);
  });
});
