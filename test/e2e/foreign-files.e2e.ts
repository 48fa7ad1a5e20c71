import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';
import { createUbikProxy } from '../../server/index.js';
import { closeBrowser, openVisitor } from './chat-page.js';
import { sampleOf } from '../helpers/sample.js';

/** A script that reports that it runs: it sends a synchronous request to `/acted`. */
const ACT = `var asking = new XMLHttpRequest(); asking.open('POST', '/acted', false); asking.send();`;
const HTML = `<!doctype html><title>x</title><script>${ACT}</script><img src="x" onerror="${ACT}">`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5" onload="${ACT}"><script>${ACT}</script></svg>`;
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script>${ACT}</script></head><body/></html>`;
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><doc><xsl:stylesheet id="s" version="1.0"
  xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><script>${ACT}</script></html></xsl:template>
  </xsl:stylesheet></doc>`;
const PDF = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(${ACT.replaceAll(/[()]/g, '\\$&')})>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>`;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR4nGP4z8AARAwoFABE0AX7pM/egAAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Files from an attacker, with the media type that the service gives them, if any. No name has an extension for which a browser looks for a
 * plug-in, such as `.bin`: it would not request an `<embed>` with such an address.
 */
const FILES = new Map<string, readonly [type: string | null, content: string | Buffer]>([
  ['page.html', ['text/html', HTML]],
  ['page-utf7.html', ['text/html; charset=utf-7', HTML]],
  ['page.xhtml', ['application/xhtml+xml', XHTML]],
  ['drawing.svg', ['image/svg+xml', SVG]],
  ['feed.xml', ['text/xml', XHTML]],
  ['data.xml', ['application/xml', SVG]],
  ['sheet.xml', ['application/xml', XSLT]],
  ['page.png', ['image/png', HTML]],
  ['page.txt', ['text/plain', HTML]],
  ['page.octets', ['application/octet-stream', HTML]],
  ['page.mp4', ['video/mp4', HTML]],
  ['page.json', ['application/json', HTML]],
  ['page.odd', ['unknown/unknown', HTML]],
  ['page.two', ['image/png, text/html', HTML]],
  [
    'page.parts',
    [
      'multipart/x-mixed-replace; boundary=x',
      `--x\r\ncontent-type: text/html\r\n\r\n${HTML}\r\n--x--`,
    ],
  ],
  ['page', [null, HTML]],
  ['paper.pdf', ['application/pdf', PDF]],
  ['page.pdf', ['application/pdf', HTML]],
  ['code.js', ['text/javascript', ACT]],
  ['looks.css', ['text/css', 'html { visibility: hidden }']],
  ['picture.png', ['image/png', PNG]],
]);

/** The files that are opened as a page and in frames. */
const DOCUMENTS = [
  'page.html',
  'page-utf7.html',
  'page.xhtml',
  'drawing.svg',
  'feed.xml',
  'data.xml',
  'sheet.xml',
  'page.png',
  'page.txt',
  'page.octets',
  'page.mp4',
  'page.json',
  'page.odd',
  'page.two',
  'page.parts',
  'page',
  'paper.pdf',
  'page.pdf',
];

const pathOf = (name: string): string => `/api/v1/assets/tools/draw_chart/call_1/${name}`;

const servers: Server[] = [];
let origin = '';
let acted: string[] = [];
let page: Page;
/** Called when a file with `content-disposition: attachment` was sent. */
let onAttachment = (): void => undefined;

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

before(async () => {
  const service = await start((request, response) => {
    const [type, content] = FILES.get((request.url ?? '').split('/').at(-1) ?? '') ?? [null, '{}'];
    response.writeHead(200, type === null ? {} : { 'content-type': type }).end(content);
  });
  const proxy = createUbikProxy({
    apiKey: 'key',
    baseUrl: service,
    getUser: ({ headers }) => (headers.cookie?.includes('session=ann') ? 'ann' : null),
  });
  origin = await start((request, response) => {
    const url = request.url ?? '';
    if (url === '/acted') acted.push(request.headers.referer ?? 'somebody');
    if (!url.startsWith('/api/v1/')) {
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=ann; SameSite=Lax' })
        .end(
          url === '/own.html'
            ? HTML
            : '<!doctype html><link rel="icon" href="data:,"><title>Host page</title>',
        );
      return;
    }
    request.url = url.slice('/api/v1'.length);
    // Headers that are passed to `writeHead` can be read only if a header was set before.
    response.setHeader('x-seen', 'yes');
    response.once('finish', () => {
      const disposition = response.getHeader('content-disposition');
      if (String(disposition).startsWith('attachment')) onAttachment();
    });
    void proxy(request, response);
  });
  page = await openPage(await openVisitor());
  await page.goto(origin);
});

afterEach(async () => {
  acted = [];
  await page.goto(origin);
});

after(async () => {
  await closeBrowser();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Waits until the server has sent a download and two frames were rendered, because not every browser reports a download. */
async function watchAttachment(): Promise<void> {
  await new Promise<void>((resolve) => {
    onAttachment = resolve;
  });
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          requestAnimationFrame(() => {
            resolve();
          });
        });
      }),
  );
}

test('these tests detect a script that runs, such as one of the host page', async () => {
  await page.goto(`${origin}/own.html`);
  assert.ok(acted.length > 0);
});

for (const [index, name] of DOCUMENTS.entries()) {
  test(`${name} of a tool runs no script when it is opened`, async () => {
    const status = await page.evaluate(async (path) => (await fetch(path)).status, pathOf(name));
    assert.equal(status, 200, 'the file exists');
    await page.goto(origin + pathOf(name)).catch((error: unknown) => {
      // A download is not a navigation.
      assert.match(String(error), /net::ERR_ABORTED|net::ERR_BLOCKED|net::ERR_FAILED/u);
    });
    await page.goto(origin);
    assert.deepEqual(acted, []);
  });

  for (const tag of sampleOf(['iframe', 'object', 'embed'] as const, 3, index)) {
    test(`${name} of a tool runs no script in an <${tag}>`, async (context) => {
      const showsPdf = await page.evaluate(() => navigator.pdfViewerEnabled);
      if (name.endsWith('.pdf') && !showsPdf) return context.skip('This browser shows no PDF.');
      const attached = watchAttachment();
      const settled = page.evaluate(
        (tagName, address) =>
          new Promise<void>((resolve) => {
            const frame = document.createElement(tagName);
            frame.onload = frame.onerror = () => {
              resolve();
            };
            frame.setAttribute(tagName === 'object' ? 'data' : 'src', address);
            document.body.append(frame);
          }),
        tag,
        pathOf(name),
      );
      // The wait that is still pending rejects when the page is left.
      await Promise.race([settled.catch(() => undefined), attached.catch(() => undefined)]);
      await page.goto(origin);
      assert.deepEqual(acted, []);
    });
  }
}

test('a file of a tool cannot be loaded as script, module, worker or style sheet of the page', async () => {
  const outcomes = await page.evaluate(
    async (code, looks) => {
      const load = (tag: 'script' | 'link', attributes: Record<string, string>): Promise<string> =>
        new Promise((resolve) => {
          const node = document.createElement(tag);
          node.onload = () => {
            resolve('loaded');
          };
          node.onerror = () => {
            resolve('refused');
          };
          for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
          document.head.append(node);
        });
      const outcomeOf = (promise: Promise<unknown>): Promise<string> =>
        promise.then(
          () => 'loaded',
          () => 'refused',
        );
      return {
        script: await load('script', { src: code }),
        module: await load('script', { src: code, type: 'module' }),
        styles: await load('link', { rel: 'stylesheet', href: looks }),
        worker: await outcomeOf(
          new Promise((resolve, reject) => {
            const worker = new Worker(code);
            worker.onmessage = resolve;
            worker.onerror = reject;
          }),
        ),
        serviceWorker: await outcomeOf(navigator.serviceWorker.register(code)),
      };
    },
    pathOf('code.js'),
    pathOf('looks.css'),
  );
  assert.deepEqual(outcomes, {
    script: 'refused',
    module: 'refused',
    styles: 'refused',
    worker: 'refused',
    serviceWorker: 'refused',
  });
  assert.deepEqual(acted, []);
});

for (const [name, width] of [
  ['picture.png', 2],
  ['drawing.svg', 7],
] as const) {
  test(`${name} of a tool runs no script when it is rendered from a blob, as in the chat`, async () => {
    const drawn = await page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = URL.createObjectURL(await (await fetch(address)).blob());
      await picture.decode();
      document.body.append(picture);
      return picture.naturalWidth;
    }, pathOf(name));
    assert.equal(drawn, width);
    assert.deepEqual(acted, []);
  });
}
