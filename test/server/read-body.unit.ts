import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { ByteBuffer } from '../../server/byte-buffer.js';
import { readRequestBody } from '../../server/request-body.js';

/** Yields each byte of a text and then overwrites it, so that a reader that keeps the piece instead of a copy fails. */
async function* yieldReusedBytes(text: string): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) {
    const piece = Buffer.of(byte);
    yield await Promise.resolve(piece);
    piece.fill('#');
  }
}

test('readRequestBody copies the bytes of a JSON body that arrives byte by byte', async () => {
  const text = '{"content":"Grüße"}';
  const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
  const request = { headers, iterator: () => yieldReusedBytes(text) } as unknown as IncomingMessage;
  const rule = { kind: 'json', fields: ['content'], maxBytes: 100 } as const;
  const options = { allowSessionOptions: [], maxUploadBytes: 100 };
  assert.deepEqual(await readRequestBody(request, rule, options), { json: text });
});

test('readRequestBody rejects a form whose content length is over the limit without reading the form', async () => {
  const headers = {
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '101',
  };
  const iterator = () => assert.fail('The form is read.');
  const request = { headers, iterator } as unknown as IncomingMessage;
  const rule = { kind: 'form', jsonFields: [] } as const;
  const options = { allowSessionOptions: [], maxUploadBytes: 100 };
  await assert.rejects(readRequestBody(request, rule, options), { status: 413 });
});

test('ByteBuffer returns the appended bytes in order for pieces of any size', () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));
  for (const size of [1, 7, 299, 300]) {
    const collected = new ByteBuffer();
    for (let at = 0; at < bytes.length; at += size) collected.append(bytes.subarray(at, at + size));
    assert.equal(collected.length, bytes.length);
    assert.deepEqual(collected.toBuffer(), bytes);
  }
});
