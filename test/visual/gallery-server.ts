import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStaticFiles } from '../../demo/web/static-files.js';
import { checkFonts, FONTS, readFont } from './fonts.js';

const ROOT = new URL('../../', import.meta.url);

/** A server of the gallery, with the fonts of the packages. */
export interface GalleryServer {
  readonly url: string;
  /** Requests without a response so far. */
  readonly open: number;
  close(): Promise<void>;
}

/** Serves the demo pages and the built files with the policy of the demo, and the fonts of the packages, without an agent and data. */
export async function serveGallery(): Promise<GalleryServer> {
  checkFonts();
  const files = createStaticFiles(ROOT);
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const answer = path.startsWith(FONTS)
      ? readFont(path).then(({ body, type }) => {
          response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' });
          response.end(body);
          return true;
        })
      : files(request, response, path);
    answer
      .catch(() => false)
      .then((isAnswered) => {
        if (!isAnswered) response.writeHead(404).end();
      })
      .catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get open() {
      return open;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
