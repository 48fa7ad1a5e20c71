/**
 * Finds a Chrome or Chromium to test with: `CHROME_PATH`, else the one inside the development package `@sparticuz/chromium` (Linux),
 * unpacked once into the user's cache, else an installed one. So everybody tests with the same browser, whatever is on the machine;
 * it draws no window around its pages, and the tests take half the time of an installed one.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { platform, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { Launcher } from 'chrome-launcher';

/** Switches that keep a browser quiet: it calls out to nobody, and runs as root where it must. */
export const flags = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 || process.env['CI'] ? ['--no-sandbox'] : []),
];

/** Milliseconds to start in, to wait for something, and for one command of the driver: they only end what hangs. */
const PATIENCE = { timeout: 300_000, protocolTimeout: 600_000 };

/**
 * What a launcher needs to start the browser, and where it was found.
 *
 * @typedef {object} Chrome
 * @property {string} executablePath
 * @property {true | 'shell'} headless
 * @property {string} from
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} timeout
 * @property {number} protocolTimeout
 */

/**
 * Opens a page that waits for what it is told to wait for, however slow the machine is, and that is drawn and has the focus beside
 * other pages: in a window of its own, since a tab in the background gets few frames and no events of the focus.
 *
 * @param {import('puppeteer-core').Browser | import('puppeteer-core').BrowserContext} browser
 */
export async function openPage(browser) {
  const page = await browser.newPage({ type: 'window' });
  await preparePage(page);
  return page;
}

/**
 * Has a page behave as one that a person looks at, and tests wait for it.
 *
 * @param {import('puppeteer-core').Page} page
 */
export async function preparePage(page) {
  page.setDefaultTimeout(PATIENCE.timeout);
  await page.emulateFocusedPage(true);
}

/** @returns {Promise<Chrome>} */
export async function findChrome() {
  if (process.env['CHROME_PATH']) {
    return {
      executablePath: process.env['CHROME_PATH'],
      headless: true,
      from: 'CHROME_PATH',
      ...PATIENCE,
    };
  }
  const packed = await findPackedChrome();
  if (packed) return packed;
  const installed = findInstalled();
  if (installed)
    return { executablePath: installed, headless: true, from: 'installed', ...PATIENCE };
  throw new Error(
    'No Chrome or Chromium found. Install one (Debian: apt-get install --no-install-recommends chromium), or set CHROME_PATH.',
  );
}

function findInstalled() {
  try {
    return Launcher.getFirstInstallation();
  } catch {
    // chrome-launcher throws where it finds none.
    return undefined;
  }
}

/**
 * The browser inside the development package, whatever else is installed: the one whose pictures can be compared.
 *
 * @returns {Promise<Chrome | undefined>}
 */
export async function findPackedChrome() {
  const source = platform() === 'linux' ? findPackage() : undefined;
  if (!source) return undefined;
  const { version } = JSON.parse(readFileSync(join(source, '..', 'package.json'), 'utf8'));
  const home = join(
    process.env['XDG_CACHE_HOME'] ?? tmpdir(),
    `ubik-chrome-${userInfo().username}`,
  );
  const target = join(home, version);
  if (!existsSync(join(target, 'chromium'))) await unpackInto(source, home, target);
  const libraries = `${join(target, 'lib')}:${process.env['LD_LIBRARY_PATH'] ?? ''}`;
  return {
    executablePath: join(target, 'chromium'),
    headless: 'shell',
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    from: '@sparticuz/chromium',
    ...PATIENCE,
  };
}

function findPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const roots = [join(dirname(entry), '..', '..'), join(dirname(entry), '..')];
    return roots.map((root) => join(root, 'bin')).find((bin) => existsSync(bin));
  } catch {
    // Not installed: the caller says what to do.
    return undefined;
  }
}

/**
 * Unpacks beside the target and moves it there whole: two test commands may start at once.
 *
 * @param {string} source
 * @param {string} home
 * @param {string} target
 */
async function unpackInto(source, home, target) {
  await mkdir(home, { recursive: true });
  const draft = await mkdtemp(join(home, 'draft-'));
  for (const name of ['fonts', 'al2023']) {
    const tar = join(draft, `${name}.tar`);
    await decompress(join(source, `${name}.tar.br`), tar);
    execFileSync('tar', ['xf', tar, '-C', draft]);
    await rm(tar);
  }
  await decompress(join(source, 'chromium.br'), join(draft, 'chromium'), 0o755);
  try {
    await rename(draft, target);
  } catch (error) {
    // Somebody else was faster.
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(join(target, 'chromium'))) throw error;
  }
}

/** @param {string} from @param {string} to */
async function decompress(from, to, mode = 0o644) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { executablePath, from } = await findChrome();
  console.log(`${from}: ${executablePath}`);
}
