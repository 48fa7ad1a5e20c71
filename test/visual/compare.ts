import type { Page } from 'puppeteer-core';

/** Permitted difference of a channel of a pixel, of 255, because antialiasing differs between processors. */
const CHANNEL = 24;
/** Permitted number of pixels that differ by more, per 100,000. */
const PIXELS = 20;

/** The difference of two screenshots. */
export interface Difference {
  /** A description; null when they count as equal. */
  readonly description: string | null;
  /** The new screenshot with the differences in red, as a base64 PNG; null when the sizes differ or no pixel does. */
  readonly picture: string | null;
}

/** Compares two base64 PNGs with the decoder of the browser that took them. */
export async function compareScreenshots(
  page: Page,
  stored: string,
  taken: string,
): Promise<Difference> {
  const found = await page.evaluate(countDifferences, stored, taken, CHANNEL);
  if ('sizes' in found) return { description: `Its size was ${found.sizes}.`, picture: null };
  const { differing, all, picture } = found;
  const most = Math.floor((all * PIXELS) / 100_000);
  const description =
    differing > most ? `${differing} of ${all} pixels differ; ${most} may differ.` : null;
  return { description, picture };
}

type Count = { sizes: string } | { differing: number; all: number; picture: string | null };

/** Runs in a page: counts the pixels of which a channel differs by more than `channel`; or returns both sizes if they differ. */
async function countDifferences(stored: string, taken: string, channel: number): Promise<Count> {
  const read = async (data: string): Promise<ImageData> => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (!context) throw new Error('No canvas.');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [before, after] = [await read(stored), await read(taken)];
  const sizes = [before, after].map(({ width, height }) => `${width} × ${height}`);
  if (sizes[0] !== sizes[1]) return { sizes: sizes.join(' and is now ') };
  let differing = 0;
  for (let at = 0; at < after.data.length; at += 4) {
    const differs = [0, 1, 2].some(
      (offset) =>
        Math.abs((before.data[at + offset] ?? 0) - (after.data[at + offset] ?? 0)) > channel,
    );
    if (!differs) continue;
    differing += 1;
    after.data.set([255, 0, 0, 255], at);
  }
  const all = after.width * after.height;
  if (differing === 0) return { differing, all, picture: null };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: after.width, height: after.height });
  canvas.getContext('2d')?.putImageData(after, 0, 0);
  return { differing, all, picture: canvas.toDataURL('image/png').split(',')[1] ?? null };
}
