import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { measureCpuRatio } from './cost-ratio.js';

/** Eight times the input may cost twice as much per character. */
const LIMIT = 16;

function costOf(href: string, text: string): number {
  const policy = createUrlPolicy();
  const start = process.cpuUsage().user;
  for (let count = 0; count < 4; count += 1) policy.checkLink(href, text);
  return process.cpuUsage().user - start;
}

test('checkLink takes linear time for a text that normalization makes up to 18 times longer', async () => {
  for (const href of ['https://a.test', 'mailto:a@b.test', 'tel:12345']) {
    for (const piece of ['\ufdfa', '\u3300', 'a', 'a@', 'a.', '\u2009a']) {
      const growth = await measureCpuRatio(
        LIMIT,
        () => costOf(href, piece.repeat(512 / piece.length)),
        () => costOf(href, piece.repeat(4096 / piece.length)),
      );
      assert.ok(growth < LIMIT, `${href}, ${JSON.stringify(piece)}: ${String(growth)}`);
    }
  }
});
