import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSpokenText } from '../../src/elements/announcements/spoken-text.js';
import { findFormulas } from '../../src/markdown/extras/maths.js';
import { escapeFormula } from '../../src/markdown/extras/table-text.js';
import { closeFence } from '../../src/message/close-fence.js';
import { toParagraph } from '../../src/message/data/data-markdown.js';
import { redactCredentials } from '../../src/message/error-details.js';
import { separateLabels } from '../../src/message/export/separate-labels.js';
import { measureCpuRatio } from './cost-ratio.js';

const separateLabelsOfTwo = (text: string): readonly string[] => separateLabels([text, text]);

/** Repeated pieces of a text at which a regular expression could backtrack. */
const INPUTS: readonly (readonly [
  convert: (text: string) => unknown,
  start: string,
  piece: string,
  end?: string,
])[] = [
  ...['.', '"', ')', '()', '('].map((piece) => [toParagraph, 'http://', piece] as const),
  [toSpokenText, 'a', '_', 'a'],
  [toSpokenText, '', '['],
  [toSpokenText, '', '[]('],
  [toSpokenText, '[](', 'a(b)'],
  ...['eyJ-', '\\neyJ', 'authorization ', 'authorization: basic ', 'authorization value '].map(
    (piece) => [redactCredentials, '', piece] as const,
  ),
  ...['+', ' ', '%20', '\\n'].map((piece) => [redactCredentials, 'Bearer', piece, '"'] as const),
  ...['`', '`a', '- ', '1.', ' ', '\n ', '\n- ```'].map(
    (piece) => [closeFence, '```', piece] as const,
  ),
  ...['](', '](a', '](a(', '](a((', '](a()', '](<', '](a "', "](a '", '](a (', '](\\('].map(
    (piece) => [findFormulas, '', piece] as const,
  ),
  [findFormulas, '](', ' '],
  [findFormulas, '](', 'a(b)'],
  [findFormulas, '](a "', '\\'],
  [findFormulas, '', '<a:'],
  ...[' ', '1', '1 ', ',', '"', '" '].flatMap((piece) => [
    [escapeFormula, '-1', piece, 'x'] as const,
    [escapeFormula, '', piece, '='] as const,
  ]),
  [separateLabelsOfTwo, '', 'x [1]: '],
];

/** Eight times the input may cost twice as much per character. */
const LIMIT = 16;

for (const [convert, start, piece, end = ''] of INPUTS) {
  const costOf = (length: number): number => {
    const text = start + piece.repeat(length / piece.length) + end;
    const begin = process.cpuUsage().user;
    convert(text);
    return process.cpuUsage().user - begin;
  };

  const place = start && ` after ${JSON.stringify(start)}`;
  test(`${convert.name} takes linear time for repeated ${JSON.stringify(piece)}${place}`, async () => {
    const growth = await measureCpuRatio(
      LIMIT,
      () => costOf(5000),
      () => costOf(40_000),
    );
    assert.ok(growth < LIMIT, String(growth));
  });
}
