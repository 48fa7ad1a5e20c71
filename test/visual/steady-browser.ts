import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findPackedChrome, flags } from '../../scripts/browser.mjs';
import { defineName } from '../helpers/define-name.js';

/** Flags that make screenshots equal on every machine. */
const STEADY = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-font-subpixel-positioning',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--hide-scrollbars',
  '--lang=en-US',
];

/** Writes font rules that hide the fonts of the machine, and returns the path of the file. Glyphs that the fonts of the packages lack come from the font beside the browser. */
async function writeFontRules(browser: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'ubik-fonts-')), 'fonts.conf');
  const folders = `<dir>${join(browser, 'fonts')}</dir><cachedir>${dirname(file)}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>`);
  return file;
}

/** Opens the Chromium of the development packages, which renders the same on every machine; null where it does not run. */
export async function openSteadyBrowser(): Promise<Browser | null> {
  const chrome = await findPackedChrome();
  if (!chrome) return null;
  const { from: _from, env, ...launch } = chrome;
  const fonts = await writeFontRules(dirname(chrome.executablePath));
  return puppeteer.launch({
    ...launch,
    env: { ...env, TZ: 'UTC', FONTCONFIG_FILE: fonts },
    args: [...flags, ...STEADY],
  });
}

/** Makes each document of a page load the fonts of the packages. */
export async function prepare(page: Page): Promise<void> {
  await defineName(page);
  await page.evaluateOnNewDocument(addFonts);
}

function addFonts(): void {
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: '/fonts/pinned.css',
  });
  new MutationObserver((_, observer) => {
    if (!document.head) return;
    observer.disconnect();
    document.head.prepend(link);
  }).observe(document, { childList: true, subtree: true });
}

/** Resolves when lazy files have run, a few frames have passed without a change or pending work, and all fonts are loaded. */
export async function waitUntilStill(): Promise<void> {
  // A downloaded module may not be compiled yet. Importing it again waits for that and has no other effect.
  const addresses = performance.getEntriesByType('resource').map(({ name }) => name);
  const modules = addresses.filter((name) => /\.mjs$|\/bundle\/\w+\/[^?]+\.js$/.test(name));
  await Promise.allSettled(modules.map((address) => import(address)));
  let changes = 0;
  const observer = new MutationObserver(() => (changes += 1));
  const rules = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document, rules);
  for (const { shadowRoot } of document.querySelectorAll('*')) {
    if (shadowRoot) observer.observe(shadowRoot, rules);
  }
  for (let quiet = 0; quiet < 4;) {
    const before = changes;
    await new Promise(requestAnimationFrame);
    // An idle callback runs only when the page has no rendering work left. Frames continue meanwhile, because Chromium sometimes begins no
    // idle period until the next one.
    await new Promise<void>((resolve) => {
      let handle = requestAnimationFrame(function next() {
        handle = requestAnimationFrame(next);
      });
      requestIdleCallback(() => {
        cancelAnimationFrame(handle);
        resolve();
      });
    });
    quiet = changes === before ? quiet + 1 : 0;
  }
  observer.disconnect();
  await document.fonts.ready;
}

/** Finishes animations, and resolves when no visible element is skipped as distant (`content-visibility: auto`). */
export async function waitUntilDrawn(): Promise<void> {
  const roots = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
  // Elements that appear with a delay, to avoid flickering, are visible.
  for (const animation of roots.flatMap((root) => root?.getAnimations() ?? [])) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  const skippable = roots.flatMap((root) =>
    [...(root?.querySelectorAll('*') ?? [])].filter(
      (one) => getComputedStyle(one).contentVisibility === 'auto',
    ),
  );
  const isSkipped = (one: Element): boolean => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const root = one.getRootNode() as ShadowRoot;
    const hit = root.elementFromPoint(left + width / 2, top + height / 2);
    const inside = one.firstElementChild;
    return one.contains(hit) && inside?.checkVisibility({ contentVisibilityAuto: true }) === false;
  };
  while (skippable.some(isSkipped)) await new Promise(requestAnimationFrame);
}
