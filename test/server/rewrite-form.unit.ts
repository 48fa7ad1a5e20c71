import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteForm } from '../../server/rewrite-form.js';
import { HttpError } from '../../server/http-error.js';

const TYPE = 'multipart/form-data; boundary=x';

/** A form as browsers write it: parts of a head and a body. */
const formOf = (...parts: readonly (readonly [head: string, body: string])[]): string =>
  `${parts.map(([head, body]) => `--x\r\n${head}\r\n\r\n${body}\r\n`).join('')}--x--\r\n`;

const FILE = 'content-disposition: form-data; name="file"; filename="a.txt"';
const TEXT = 'content-disposition: form-data; name="api_metadata"';

async function* piecesOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Rewrites a form that arrives in pieces, and gives what the platform's own parser reads in it. */
async function rewritten(
  text: string,
  size = 1 << 20,
  contentType = TYPE,
): Promise<[string, string][]> {
  const rule = { texts: ['api_metadata'], maxBytes: 1 << 22 };
  const { contentType: type, body } = rewriteForm(piecesOf(text, size), contentType, rule);
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

test('a form says the same after it was rewritten, wherever its pieces are cut', async () => {
  const text = formOf([`${FILE}\r\ncontent-type: text/plain`, BODY], [TEXT, '{ "a": [1, 2] }']);
  for (let size = 1; size <= Buffer.byteLength(text); size += 1) {
    assert.deepEqual(await rewritten(text, size), [
      ['file:a.txt:text/plain', BODY],
      ['api_metadata', '{"a":[1,2]}'],
    ]);
  }
});

test('a form of the platform passes with its names and types', async () => {
  const form = new FormData();
  form.set('file', new File(['Ä'], 'Zoë "1".html', { type: 'text/html' }));
  form.set('api_metadata', '{}');
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? '';
  assert.deepEqual(await rewritten(await response.text(), 7, type), [
    ['file:Zoë "1".html:text/html', 'Ä'],
    ['api_metadata', '{}'],
  ]);
});

test('an empty form and an empty file pass', async () => {
  assert.deepEqual(await rewritten('--x--\r\n'), []);
  assert.deepEqual(await rewritten(formOf([FILE, ''])), [
    ['file:a.txt:application/octet-stream', ''],
  ]);
});

test('a file name reaches the service without folders, quotes of other readers and control characters', async () => {
  for (const [given, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\folder\\file.txt', 'file.txt'],
    ['a\\', 'file'],
    ['a\tb', 'ab'],
    ['', 'file'],
    ['.', 'file'],
    ['folder/..', 'file'],
  ] as const) {
    const head = `content-disposition: form-data; name="file"; filename="${given}"`;
    assert.deepEqual(await rewritten(formOf([head, 'x'])), [
      [`file:${kept}:application/octet-stream`, 'x'],
    ]);
  }
});

for (const [name, text] of [
  ['that does not begin with its boundary', `hello\r\n${formOf([FILE, 'x'])}`],
  ['that does not end', formOf([FILE, 'x']).slice(0, -8)],
  ['that ends in a head', `--x\r\n${FILE}`],
  ['that is empty', ''],
  ['with bare line feeds', formOf([FILE, 'x']).replaceAll('\r', '')],
  ['with text after a boundary', `--x \r\n${FILE}\r\n\r\nx\r\n--x--\r\n`],
  ['with a transfer encoding', formOf([`${FILE}\r\ncontent-transfer-encoding: base64`, 'eA=='])],
  ['with a head that goes on in the next line', formOf([`${FILE};\r\n name="api_metadata"`, 'x'])],
  ['with two names', formOf([`${FILE}; name="api_metadata"`, 'x'])],
  ['with a file name of another coding', formOf([`${FILE}; filename*=utf-8''b.txt`, 'x'])],
  ['with an escaped quote', formOf(['content-disposition: form-data; name="fi\\"le"', '{}'])],
  ['with a name without quotes', formOf(['content-disposition: form-data; name=file', '{}'])],
  ['with a part that is no field', formOf(['content-disposition: attachment; name="file"', '{}'])],
  ['with a part without a head', '--x\r\n\r\n\r\nx\r\n--x--\r\n'],
] as const) {
  test(`a form ${name} is refused`, async () => {
    for (const size of [1, 1 << 20]) {
      await assert.rejects(
        rewritten(text, size),
        (error) => error instanceof HttpError && error.status === 400,
      );
    }
  });
}

for (const [name, text] of [
  ['whose text', formOf([TEXT, `"${'x'.repeat(2_000_000)}"`])],
  ['whose head', `--x\r\nx: ${'x'.repeat(100_000)}`],
] as const) {
  test(`a form ${name} is too large is refused before all of it has come`, async () => {
    let taken = 0;
    const source = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of piecesOf(text, 1000)) {
        taken += piece.length;
        yield piece;
      }
    };
    const { body } = rewriteForm(source(), TYPE, { texts: ['api_metadata'], maxBytes: 1e9 });
    await assert.rejects(
      async () => {
        for await (const _piece of body);
      },
      (error) => error instanceof HttpError && error.status === 413,
    );
    assert.ok(taken < text.length * 0.6, `${String(taken)} of ${String(text.length)}`);
  });
}

test('a field of a form may be a MiB long, and no longer', async () => {
  const limit = 1024 * 1024;
  const text = JSON.stringify({ note: '' });
  const fill = (length: number): string =>
    text.replace('""', `"${'x'.repeat(length - text.length)}"`);
  await rewritten(formOf([TEXT, fill(limit)]), 1 << 16);
  await assert.rejects(
    rewritten(formOf([TEXT, fill(limit + 1)]), 1 << 16),
    (error) => error instanceof HttpError && error.status === 413,
  );
});

test('a form without a usable boundary is refused', () => {
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="a\r\nb"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ]) {
    assert.throws(
      () => rewriteForm(piecesOf('', 1), type, { texts: [], maxBytes: 1 }),
      (error) => error instanceof HttpError && error.status === 415,
    );
  }
});
