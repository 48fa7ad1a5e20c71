/** WebKitGTK: its MiniBrowser, driven by WebKitWebDriver, in a virtual display. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sendCommand, WebDriverPage } from './webdriver-page.mjs';

/** Subfolders of a folder of libraries in which MiniBrowser may be, the preferred one first. */
const VERSIONS = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'];
/**
 * Size and depth of the virtual display. Without a window manager, the window under the pointer has the focus, and the pointer is in the
 * middle of the display. So the display must be small enough for each window to cover its middle; windows may be larger than the display.
 */
const SCREEN = '640x480x24';
/** Timeout of a script and of loading a page, in ms. Long, because it only has to end what hangs. */
const TIMEOUT = 300_000;

/**
 * Finds a program in the search path.
 *
 * @param {string} name
 */
export function findProgram(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** @returns {string | undefined} */
function findMiniBrowser() {
  const root = '/usr/lib';
  if (!existsSync(root)) return undefined;
  const folders = readdirSync(root).filter((name) => name.endsWith('-linux-gnu'));
  return VERSIONS.flatMap((version) =>
    folders.map((folder) => join(root, folder, version, 'MiniBrowser')),
  ).find((path) => existsSync(path));
}

/** Names of the programs that are not installed. */
export function listMissingForWebKit() {
  return [
    ...(findMiniBrowser() ? [] : ['MiniBrowser']),
    ...(findProgram('WebKitWebDriver') ? [] : ['WebKitWebDriver']),
    ...(process.env['DISPLAY'] || findProgram('Xvfb') ? [] : ['Xvfb']),
  ];
}

/** Starts the driver, and a virtual display where there is none. A page has a separate profile; only one can be open at a time. */
export async function startWebKit() {
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  const stop = () => {
    for (const child of children) child.kill();
  };
  process.once('exit', stop);
  const display = process.env['DISPLAY'] ?? (await startDisplay(children));
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${String(port)}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display, LANG: 'en_US.UTF-8', LANGUAGE: 'en_US' },
    stdio: 'ignore',
  });
  children.push(driver);
  const url = `http://127.0.0.1:${String(port)}`;
  await waitForDriver(driver, url);
  return {
    async openPage() {
      const value = await sendCommand('POST', `${url}/session`, {
        capabilities: {
          alwaysMatch: {
            timeouts: { script: TIMEOUT, pageLoad: TIMEOUT },
            'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
          },
        },
      });
      const { sessionId } = /** @type {{ sessionId: string }} */ (value);
      return new WebDriverPage(`${url}/session/${sessionId}`);
    },
    async close() {
      process.removeListener('exit', stop);
      stop();
    },
  };
}

/** Starts a virtual display and returns its name. @param {import('node:child_process').ChildProcess[]} children */
async function startDisplay(children) {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  children.push(screen);
  const pipe = /** @type {import('node:stream').Readable} */ (screen.stdio[3]);
  const ended = once(screen, 'exit').then(() => {
    throw new Error('Xvfb ended before it had a display.');
  });
  const [number] = await Promise.race([once(pipe, 'data'), ended]);
  ended.catch(() => undefined);
  return `:${String(number).trim()}`;
}

/** @param {import('node:child_process').ChildProcess} driver @param {string} url */
async function waitForDriver(driver, url) {
  const isReady = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (driver.exitCode !== null) throw new Error('WebKitWebDriver ended before it was ready.');
    await wait(50);
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
