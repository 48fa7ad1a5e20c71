import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findPackedChrome, flags } from '../../scripts/browser.mjs';

/** Switches that make a picture the same on every machine. */
const STEADY = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-font-subpixel-positioning',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--hide-scrollbars',
  '--lang=en-US',
];

/** What the machine has of fonts is not seen: glyphs that no font of the packages has come from the one beside the browser. */
async function writeFontRules(browser: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'ubik-fonts-')), 'fonts.conf');
  const folders = `<dir>${join(browser, 'fonts')}</dir><cachedir>${dirname(file)}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>`);
  return file;
}

/** Opens the browser of the package, which draws the same on every machine; null where it does not run. */
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

/** Makes each document of a page ask for the fonts of the packages. */
export async function prepare(page: Page): Promise<void> {
  // The compiler of the tests names functions by a helper that a page does not have.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
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

/** Resolves when what was fetched later has run, a few frames have passed in which nothing was changed or left to do, and all fonts are there. */
export async function standStill(): Promise<void> {
  // A module that has come may still wait for being compiled; to import it again waits for that, and does nothing else.
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
    // A page that is busy drawing draws on while other tasks wait: it stands still when there is nothing else to do.
    await new Promise((resolve) => requestIdleCallback(resolve));
    quiet = changes === before ? quiet + 1 : 0;
  }
  observer.disconnect();
  await document.fonts.ready;
}

/** Resolves when nothing that can be seen is left out of drawing for being far away (`content-visibility: auto`). */
export async function allDrawn(): Promise<void> {
  const roots = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
  // What comes a moment later, so as not to flicker, is there.
  for (const motion of roots.flatMap((root) => root?.getAnimations() ?? [])) {
    if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
  }
  const late = roots.flatMap((root) =>
    [...(root?.querySelectorAll('*') ?? [])].filter(
      (one) => getComputedStyle(one).contentVisibility === 'auto',
    ),
  );
  const isMissing = (one: Element): boolean => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const root = one.getRootNode() as ShadowRoot;
    const hit = root.elementFromPoint(left + width / 2, top + height / 2);
    const inside = one.firstElementChild;
    return one.contains(hit) && inside?.checkVisibility({ contentVisibilityAuto: true }) === false;
  };
  while (late.some(isMissing)) await new Promise(requestAnimationFrame);
}
