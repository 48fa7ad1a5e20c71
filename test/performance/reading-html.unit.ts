import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../../demo/agent/documents/read-html.mjs';

/** What a reader of markup comes back to when it never ends. */
const UNENDED = [
  '<',
  '<h1',
  '<li ',
  '<p ',
  '</td ',
  '<!--',
  '<script',
  '<script>',
  '<svg>',
  '<div>',
  '<div></p>',
  '<a b="',
  '<a b=c>',
  '&am',
  '&#',
  ' \n',
];

function costOf(sign: string, length: number): number {
  const page = sign.repeat(Math.ceil(length / sign.length));
  const start = process.cpuUsage().user;
  readHtml(page, Infinity);
  return process.cpuUsage().user - start;
}

test('reading a page grows no faster than the page, whatever it repeats', () => {
  for (const sign of UNENDED) {
    let [short, long] = [Infinity, Infinity];
    for (let round = 0; round < 6; round += 1) {
      short = Math.min(short, costOf(sign, 50_000));
      long = Math.min(long, costOf(sign, 400_000));
    }
    // Below some milliseconds the machine tells more than the input.
    const growth = long / Math.max(short, 5000);
    assert.ok(growth < 16, `${JSON.stringify(sign)}: ${String(growth)}`);
  }
});

test('a tag with many attributes costs no more than they are long', () => {
  const costs = [2000, 16_000].map((count) => {
    const attributes = Array.from({ length: count }, (_, index) => ` a${String(index)}=1`);
    return Math.min(...Array.from({ length: 6 }, () => costOf(`<a${attributes.join('')}>`, 1)));
  });
  const [short = 0, long = 0] = costs;
  assert.ok(long / Math.max(short, 5000) < 16, costs.join(' to '));
});
