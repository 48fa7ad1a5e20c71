import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';

function costOf(href: string, text: string): number {
  const policy = createUrlPolicy();
  const start = process.cpuUsage().user;
  for (let count = 0; count < 4; count += 1) policy.link(href, text);
  return process.cpuUsage().user - start;
}

test('checking a link grows no faster than its text, which normalisation makes up to 18 times longer', () => {
  for (const href of ['https://a.test', 'mailto:a@b.test', 'tel:12345']) {
    for (const sign of ['\ufdfa', '\u3300', 'a', 'a@', 'a.', '\u2009a']) {
      let [short, long] = [Infinity, Infinity];
      for (let round = 0; round < 6; round += 1) {
        short = Math.min(short, costOf(href, sign.repeat(512 / sign.length)));
        long = Math.min(long, costOf(href, sign.repeat(4096 / sign.length)));
      }
      // Below some milliseconds the machine tells more than the input.
      const growth = long / Math.max(short, 5000);
      assert.ok(growth < 16, `${href}, ${JSON.stringify(sign)}: ${String(growth)}`);
    }
  }
});
