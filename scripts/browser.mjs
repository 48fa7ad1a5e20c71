/**
 * Finds a Chrome or Chromium for the tests: `CHROME_PATH`, else the one in the development package `@sparticuz/chromium` (Linux), which is
 * unpacked once into `XDG_CACHE_HOME` or the folder for temporary files, else an installed one. The package is preferred to an installed
 * browser, because it is the same browser on every machine and, without a window, runs the tests in half the time.
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
import puppeteer from 'puppeteer-core';

/** Command line switches: no requests of the browser itself, and no sandbox where it cannot be used (root, CI). */
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

/**
 * Environment variables that Chromium would otherwise set itself, one of them from another thread. Setting a new variable moves the
 * environment in memory, and Chromium then crashes now and then because a third thread reads the environment at the same time.
 */
const VARIABLES = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' };

/** Timeouts in ms for starting and waiting, and for one protocol command. Long, because they only have to end what hangs. */
const TIMEOUTS = { timeout: 300_000, protocolTimeout: 600_000 };

/**
 * The options with which a launcher starts the browser, and where it was found.
 *
 * @typedef {object} Chrome
 * @property {string} executablePath
 * @property {true | 'shell'} headless
 * @property {string} from
 * @property {NodeJS.ProcessEnv} env
 * @property {number} timeout
 * @property {number} protocolTimeout
 */

/**
 * Opens a page that is rendered and focused beside other pages, with long timeouts and without a cache: in a separate window, because a
 * background tab gets few frames and no focus events.
 *
 * @param {import('puppeteer-core').Browser | import('puppeteer-core').BrowserContext} browser
 */
export async function openPage(browser) {
  const page = await browser.newPage({ type: 'window' });
  await preparePage(page);
  return page;
}

/**
 * Opens a page like `openPage`, in which files are kept in the cache: for tests that load the same files hundreds of times.
 *
 * @param {import('puppeteer-core').Browser | import('puppeteer-core').BrowserContext} browser
 */
export async function openCachingPage(browser) {
  const page = await openPage(browser);
  await page.setCacheEnabled(true);
  return page;
}

/**
 * Sets long timeouts, disables the cache, and makes a page behave as if it were focused.
 *
 * @param {import('puppeteer-core').Page} page
 */
export async function preparePage(page) {
  // Tests observe, withhold and block requests, also those of a reloaded page.
  await page.setCacheEnabled(false);
  page.setDefaultTimeout(TIMEOUTS.timeout);
  await page.emulateFocusedPage(true);
}

/**
 * Starts the browser. `args` are further command line switches.
 *
 * @param {import('puppeteer-core').LaunchOptions} [options]
 */
export async function launchChrome({ args = [], ...options } = {}) {
  const { from: _from, ...chrome } = await findChrome();
  return puppeteer.launch({ ...chrome, ...options, args: [...flags, ...args] });
}

/** @returns {Promise<Chrome>} */
export async function findChrome() {
  const options = {
    headless: /** @type {const} */ (true),
    env: { ...process.env, ...VARIABLES },
    ...TIMEOUTS,
  };
  const path = process.env['CHROME_PATH'];
  if (path) return { executablePath: path, from: 'CHROME_PATH', ...options };
  const packed = await findPackedChrome();
  if (packed) return packed;
  const installed = findInstalled();
  if (installed) return { executablePath: installed, from: 'installed', ...options };
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
 * Finds the browser of the development package, regardless of installed ones. Only its screenshots are comparable.
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
    env: { ...process.env, ...VARIABLES, LD_LIBRARY_PATH: libraries },
    from: '@sparticuz/chromium',
    ...TIMEOUTS,
  };
}

function findPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    // The entry is one or two folders below that of the package, depending on the version.
    const roots = [join(dirname(entry), '..', '..'), join(dirname(entry), '..')];
    return roots.map((root) => join(root, 'bin')).find((bin) => existsSync(bin));
  } catch {
    // The package is not installed. The caller reports it.
    return undefined;
  }
}

/**
 * Unpacks the browser to a temporary folder and then renames this folder, because two test commands may start concurrently.
 *
 * @param {string} source
 * @param {string} home
 * @param {string} target
 */
async function unpackInto(source, home, target) {
  await mkdir(home, { recursive: true });
  const temporary = await mkdtemp(join(home, 'draft-'));
  // `al2023`: the shared libraries that the browser needs, built for Amazon Linux 2023.
  for (const name of ['fonts', 'al2023']) {
    const tar = join(temporary, `${name}.tar`);
    await decompress(join(source, `${name}.tar.br`), tar);
    execFileSync('tar', ['xf', tar, '-C', temporary]);
    await rm(tar);
  }
  await decompress(join(source, 'chromium.br'), join(temporary, 'chromium'), 0o755);
  try {
    await rename(temporary, target);
  } catch (error) {
    // Another process has unpacked it in the meantime.
    await rm(temporary, { recursive: true, force: true });
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
