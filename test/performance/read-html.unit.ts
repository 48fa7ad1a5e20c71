import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../../demo/agent/documents/read-html.mjs';
import { measureCpuRatio } from './cost-ratio.js';

/** Unclosed markup at which a reader could backtrack. */
const UNCLOSED = [
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

/** Eight times the input may cost twice as much per character. */
const LIMIT = 16;

function costOf(piece: string, length: number): number {
  const page = piece.repeat(Math.ceil(length / piece.length));
  const start = process.cpuUsage().user;
  readHtml(page, Infinity);
  return process.cpuUsage().user - start;
}

test('readHtml takes linear time for repeated unclosed markup', async () => {
  for (const piece of UNCLOSED) {
    const growth = await measureCpuRatio(
      LIMIT,
      () => costOf(piece, 50_000),
      () => costOf(piece, 400_000),
    );
    assert.ok(growth < LIMIT, `${JSON.stringify(piece)}: ${String(growth)}`);
  }
});

test('readHtml takes linear time for a tag with many attributes', async () => {
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
