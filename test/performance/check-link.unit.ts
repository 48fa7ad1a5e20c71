import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { measureCpuRatio } from './cost-ratio.js';

/** Eight times the text is at most twice as dear for its length. */
const LIMIT = 16;

function costOf(href: string, text: string): number {
  const policy = createUrlPolicy();
  const start = process.cpuUsage().user;
  for (let count = 0; count < 4; count += 1) policy.checkLink(href, text);
  return process.cpuUsage().user - start;
}

test('checking a link grows no faster than its text, which normalisation makes up to 18 times longer', async () => {
  for (const href of ['https://a.test', 'mailto:a@b.test', 'tel:12345']) {
    for (const sign of ['\ufdfa', '\u3300', 'a', 'a@', 'a.', '\u2009a']) {
      const growth = await measureCpuRatio(
        LIMIT,
        () => costOf(href, sign.repeat(512 / sign.length)),
        () => costOf(href, sign.repeat(4096 / sign.length)),
      );
      assert.ok(growth < LIMIT, `${href}, ${JSON.stringify(sign)}: ${String(growth)}`);
    }
  }
});
