import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../../demo/agent/documents/read-html.mjs';
import { measureCpuRatio } from './cost-ratio.js';

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

/** Eight times the page is at most twice as dear for its length. */
const LIMIT = 16;

function costOf(sign: string, length: number): number {
  const page = sign.repeat(Math.ceil(length / sign.length));
  const start = process.cpuUsage().user;
  readHtml(page, Infinity);
  return process.cpuUsage().user - start;
}

test('reading a page grows no faster than the page, whatever it repeats', async () => {
  for (const sign of UNENDED) {
    const growth = await measureCpuRatio(
      LIMIT,
      () => costOf(sign, 50_000),
      () => costOf(sign, 400_000),
    );
    assert.ok(growth < LIMIT, `${JSON.stringify(sign)}: ${String(growth)}`);
  }
});

test('a tag with many attributes costs no more than they are long', async () => {
  const cost = (count: number): number => {
    const attributes = Array.from({ length: count }, (_, index) => ` a${String(index)}=1`);
    return costOf(`<a${attributes.join('')}>`, 1);
  };
  const growth = await measureCpuRatio(
    LIMIT,
    () => cost(2000),
    () => cost(16_000),
  );
  assert.ok(growth < LIMIT, String(growth));
});
