import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readDocument } from '../../demo/agent/documents/read-document.js';
import { ParserProcess } from '../../demo/agent/documents/parser-process.js';
import { UnreadableFileError } from '../../demo/agent/documents/unreadable-file-error.mjs';
import { ServerClosedError } from '../../demo/agent/run/run-errors.js';

const unreadable =
  (reason: RegExp) =>
  (error: unknown): boolean =>
    error instanceof UnreadableFileError && reason.test(error.message);

/** The longest delay of a timer: the memory limit is reached long before. */
const NO_TIME_LIMIT = 2 ** 31 - 1;

/** A small PDF file of one page whose drawing operations are inflated to a number of bytes. */
function makeBomb(operation: string, bytes: number): Uint8Array {
  const drawing = deflateSync(operation.repeat(bytes / operation.length), { level: 9 });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${String(drawing.length)} /Filter /FlateDecode >>\nstream\n${drawing.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const body = objects.map((object, index) => `${String(index + 1)} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${body.join('')}trailer << /Size 6 /Root 1 0 R >>`, 'latin1');
}

test('document parser aborts a file after the time limit, and another one without that limit parses it', async () => {
  const slow = new ParserProcess({ milliseconds: 1 });
  await assert.rejects(slow.parse('html', '<p>Hello</p>'), unreadable(/too long/u));
  const patient = new ParserProcess();
  assert.deepEqual(await patient.parse('html', '<p>Hello</p>'), [{ page: null, text: 'Hello' }]);
});

for (const [name, operation] of [
  ['draws much text', 'BT /F1 1 Tf (a) Tj ET '],
  ['is inflated to spaces', ' '],
] as const) {
  test(`document parser aborts a PDF file of some kilobytes that ${name} at the memory limit`, async () => {
    const parser = new ParserProcess({ milliseconds: NO_TIME_LIMIT, memory: 160 * 2 ** 20 });
    const bomb = makeBomb(operation, 200_000_000);
    assert.ok(bomb.length < 1_000_000);
    await assert.rejects(parser.parse('pdf', bomb), unreadable(/too much memory/u));
  });
}

test('document parser rejects a JSON file whose indented text is a thousand times as long', async () => {
  const nested = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  const parser = new ParserProcess({ milliseconds: NO_TIME_LIMIT, memory: 160 * 2 ** 20 });
  const bomb = `[${Array.from({ length: 500 }, () => nested).join(',')}]`;
  await assert.rejects(parser.parse('json', bomb), unreadable(/too much memory|more text/u));
});

test('document parser aborts a file whose text exceeds the limit', async () => {
  const parser = new ParserProcess({ characters: 1000 });
  const long = 'word '.repeat(300);
  await assert.rejects(parser.parse('html', long), unreadable(/more text/u));
  await assert.rejects(parser.parse('json', JSON.stringify(long)), unreadable(/more text/u));
});

test('document parser limits the text of a table with long column names', async () => {
  const table = `${'n'.repeat(100_000)},b\n${'1,2\n'.repeat(1000)}`;
  await assert.rejects(
    readDocument('a.csv', Buffer.from(table), new ParserProcess()),
    unreadable(/more text/u),
  );
});

test('document parser rejects a table whose header exceeds the limit of text', async () => {
  const bytes = Buffer.from(','.repeat(2_600_000));
  await assert.rejects(
    readDocument('columns.csv', bytes, new ParserProcess()),
    unreadable(/more text/u),
  );
});

test('document parser that is closed rejects the file that it is parsing, and later ones, with ServerClosedError', async () => {
  const parser = new ParserProcess();
  const reading = parser.parse('html', '<p>Hello</p>');
  parser.close();
  await assert.rejects(reading, ServerClosedError);
  await assert.rejects(parser.parse('html', '<p>Hello</p>'), ServerClosedError);
});

test('document parser extracts the visible text of an HTML page', async () => {
  const page = `<!doctype html><html><head><title>Birds &amp; nests</title><style>p { x: "</p>" }</style>
    <script>evil("<p>no</p>")</script></head><body><!-- no <p>no</p> --><h1 class="a>b">The&nbsp;plover</h1>
    <p>Nests on <b>open</b> ground<br>near water &hellip; &#x41;&#66; 1 < 2 &unknown;</p>
    <svg><text>no</text><svg><text>no</text></svg><text>no</text></svg><ul><li>one<li>two</ul>
    <table><tr><th>a<th>b</tr><tr><td>1</td><td>2</td></tr></table><noscript>no</noscript><template>no</template>end`;
  const [read] = await new ParserProcess().parse('html', page);
  assert.equal(
    read?.text,
    [
      'Birds & nests',
      '# The plover',
      'Nests on open ground\nnear water … AB 1 < 2 &unknown;',
      '- one\n- two',
      '| a | b',
      '| 1 | 2',
      'end',
    ].join('\n\n'),
  );
});
