import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteForm } from '../../server/rewrite-form.js';
import { HttpError } from '../../server/http-error.js';

const TYPE = 'multipart/form-data; boundary=x';

/** Prints a form as browsers do, from parts with a head and a body. */
const printForm = (...parts: readonly (readonly [head: string, body: string])[]): string =>
  `${parts.map(([head, body]) => `--x\r\n${head}\r\n\r\n${body}\r\n`).join('')}--x--\r\n`;

const FILE = 'content-disposition: form-data; name="file"; filename="a.txt"';
const TEXT = 'content-disposition: form-data; name="api_metadata"';

async function* splitBytes(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Rewrites a form that arrives in pieces, and parses the result with the platform's own parser. */
async function rewriteAndParse(
  text: string,
  size = 1 << 20,
  contentType = TYPE,
): Promise<[string, string][]> {
  const rule = { jsonFields: ['api_metadata'], maxBytes: 1 << 22 };
  const { contentType: type, body } = rewriteForm(splitBytes(text, size), contentType, rule);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  const form = await new Response(new Uint8Array(Buffer.concat(pieces)), {
    headers: { 'content-type': type },
  }).formData();
  return Promise.all(
    [...form].map(async ([name, value]): Promise<[string, string]> =>
      typeof value === 'string'
        ? [name, value]
        : [`${name}:${value.name}:${value.type}`, await value.text()],
    ),
  );
}

const BODY = 'One\r\n--\r\n--y\r\n-x\r\n--X é \0 end\r\n';

test('rewriteForm preserves the content of a form for pieces of any size', async () => {
  const text = printForm([`${FILE}\r\ncontent-type: text/plain`, BODY], [TEXT, '{ "a": [1, 2] }']);
  for (let size = 1; size <= Buffer.byteLength(text); size += 1) {
    assert.deepEqual(await rewriteAndParse(text, size), [
      ['file:a.txt:text/plain', BODY],
      ['api_metadata', '{"a":[1,2]}'],
    ]);
  }
});

test('rewriteForm preserves file names and types of a form that the platform has printed', async () => {
  const form = new FormData();
  form.set('file', new File(['Ä'], 'Zoë "1".html', { type: 'text/html' }));
  form.set('api_metadata', '{}');
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? '';
  assert.deepEqual(await rewriteAndParse(await response.text(), 7, type), [
    ['file:Zoë "1".html:text/html', 'Ä'],
    ['api_metadata', '{}'],
  ]);
});

test('rewriteForm accepts a form without parts, and an empty file', async () => {
  assert.deepEqual(await rewriteAndParse('--x--\r\n'), []);
  assert.deepEqual(await rewriteAndParse('--x--'), [], 'the last line end may be missing');
  assert.deepEqual(await rewriteAndParse(printForm([FILE, ''])), [
    ['file:a.txt:application/octet-stream', ''],
  ]);
});

test('rewriteForm removes folders and control characters from file names', async () => {
  for (const [original, sanitized] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\folder\\file.txt', 'file.txt'],
    ['a\\', 'file'],
    ['a\tb', 'ab'],
    ['', 'file'],
    ['.', 'file'],
    ['folder/..', 'file'],
  ] as const) {
    const head = `content-disposition: form-data; name="file"; filename="${original}"`;
    assert.deepEqual(await rewriteAndParse(printForm([head, 'x'])), [
      [`file:${sanitized}:application/octet-stream`, 'x'],
    ]);
  }
});

for (const [name, text] of [
  ['that does not start with its boundary', `hello\r\n${printForm([FILE, 'x'])}`],
  ['that does not end', printForm([FILE, 'x']).slice(0, -8)],
  ['that ends in a head', `--x\r\n${FILE}`],
  ['of zero bytes', ''],
  ['with bare line feeds', printForm([FILE, 'x']).replaceAll('\r', '')],
  ['with text after a boundary', `--x \r\n${FILE}\r\n\r\nx\r\n--x--\r\n`],
  ['with a transfer encoding', printForm([`${FILE}\r\ncontent-transfer-encoding: base64`, 'eA=='])],
  ['with a folded header line', printForm([`${FILE};\r\n name="api_metadata"`, 'x'])],
  ['with two names', printForm([`${FILE}; name="api_metadata"`, 'x'])],
  ['with an extended file name', printForm([`${FILE}; filename*=utf-8''b.txt`, 'x'])],
  ['with an escaped quote', printForm(['content-disposition: form-data; name="fi\\"le"', '{}'])],
  ['with a name without quotes', printForm(['content-disposition: form-data; name=file', '{}'])],
  [
    'with a part that is not a field',
    printForm(['content-disposition: attachment; name="file"', '{}']),
  ],
  ['with a part without a head', '--x\r\n\r\n\r\nx\r\n--x--\r\n'],
] as const) {
  test(`rewriteForm rejects a form ${name}`, async () => {
    for (const size of [1, 1 << 20]) {
      await assert.rejects(
        rewriteAndParse(text, size),
        (error) => error instanceof HttpError && error.status === 400,
      );
    }
  });
}

for (const [name, text] of [
  ['whose JSON field', printForm([TEXT, `"${'x'.repeat(2_000_000)}"`])],
  ['whose head', `--x\r\nx: ${'x'.repeat(100_000)}`],
] as const) {
  test(`rewriteForm rejects a form ${name} is too large before it is complete`, async () => {
    let bytesRead = 0;
    const source = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of splitBytes(text, 1000)) {
        bytesRead += piece.length;
        yield piece;
      }
    };
    const { body } = rewriteForm(source(), TYPE, { jsonFields: ['api_metadata'], maxBytes: 1e9 });
    await assert.rejects(
      async () => {
        for await (const _piece of body);
      },
      (error) => error instanceof HttpError && error.status === 413,
    );
    // The higher of the two limits, 1 MiB for a field, is just over half of its form.
    assert.ok(bytesRead < text.length * 0.6, `${String(bytesRead)} of ${String(text.length)}`);
  });
}

test('rewriteForm accepts a field of 1 MiB and rejects a longer one', async () => {
  const limit = 1024 * 1024;
  const text = JSON.stringify({ note: '' });
  const fill = (length: number): string =>
    text.replace('""', `"${'x'.repeat(length - text.length)}"`);
  await rewriteAndParse(printForm([TEXT, fill(limit)]), 1 << 16);
  await assert.rejects(
    rewriteAndParse(printForm([TEXT, fill(limit + 1)]), 1 << 16),
    (error) => error instanceof HttpError && error.status === 413,
  );
});

test('rewriteForm rejects a form without a valid boundary', () => {
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="a\r\nb"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ]) {
    assert.throws(
      () => rewriteForm(splitBytes('', 1), type, { jsonFields: [], maxBytes: 1 }),
      (error) => error instanceof HttpError && error.status === 415,
    );
  }
});

test('rewriteForm ignores content after the last boundary, and counts it towards the size', async () => {
  const form = printForm([TEXT, '{}']);
  const text = `${form}ignored`;
  const read = async (maxBytes: number): Promise<void> => {
    const rule = { jsonFields: ['api_metadata'], maxBytes };
    const { body } = rewriteForm(splitBytes(text, form.length), TYPE, rule);
    for await (const _piece of body);
  };
  await read(text.length);
  await assert.rejects(read(text.length - 1), { status: 413 });
});

test('rewriteForm accepts a head of 8 KiB and rejects a longer one', async () => {
  const head = 'content-disposition: form-data; name="file"; filename=""';
  const fill = (length: number) => head.replace('=""', `="${'x'.repeat(length - head.length)}"`);
  const limit = 8 * 1024;
  // The line end after the boundary does not belong to the head.
  await rewriteAndParse(printForm([fill(limit), 'x']));
  await assert.rejects(rewriteAndParse(printForm([fill(limit + 1), 'x'])), { status: 413 });
});

test('rewriteForm releases the source of a form that it rejects', async () => {
  let isReleased = false;
  const source = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* splitBytes(printForm([FILE, 'x'], [FILE, 'y']), 10);
    } finally {
      isReleased = true;
    }
  };
  const { body } = rewriteForm(source(), TYPE, { jsonFields: [], maxBytes: 1 << 20 });
  await assert.rejects(
    async () => {
      for await (const _piece of body);
    },
    { status: 403 },
  );
  assert.equal(isReleased, true);
});

test('rewriteForm reads a boundary in quotes and between other parameters', async () => {
  const text = printForm([FILE, 'x']);
  for (const type of [
    'multipart/form-data; boundary="x"',
    'multipart/form-data; charset=utf-8; boundary=x; other=y',
  ]) {
    assert.deepEqual(await rewriteAndParse(text, 7, type), [
      ['file:a.txt:application/octet-stream', 'x'],
    ]);
  }
});
