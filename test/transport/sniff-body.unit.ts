import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffBody, type BodyKind } from '../../src/transport/response.js';
import { createControlledStream, createStreamOf } from '../helpers/controlled-stream.js';

function createResponse(type: string | null, chunks: readonly (string | Uint8Array)[]): Response {
  const response = new Response(createStreamOf(chunks));
  if (type !== null) response.headers.set('content-type', type);
  return response;
}

const splitBytes = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));

const DECLARED: readonly (readonly [string, BodyKind])[] = [
  ['text/event-stream', 'events'],
  ['Text/Event-Stream; charset=utf-8', 'events'],
  ['application/json', 'json'],
  ['application/json;charset=UTF-8', 'json'],
  ['application/problem+json', 'json'],
  ['text/html; charset=utf-8', 'html'],
  ['application/xhtml+xml', 'html'],
];

for (const [type, kind] of DECLARED) {
  test(`sniffBody trusts the content type ${type}, whatever the body is`, async () => {
    for (const text of ['data: x\n\n', '{}', '<p>', '']) {
      const sniffed = await sniffBody(createResponse(type, [text]));
      assert.equal(sniffed.kind, kind);
      assert.equal(await new Response(sniffed.body).text(), text);
    }
  });
}

const SNIFFED: readonly (readonly [string, BodyKind])[] = [
  ['data: x\n\n', 'events'],
  ['\r\n\n  event: x\ndata: y\n\n', 'events'],
  ['id: 1\ndata: x\n\n', 'events'],
  ['retry: 100\n\n', 'events'],
  [': heartbeat\n\n', 'events'],
  ['\uFEFFdata: x\n\n', 'events'],
  ['{"id":1}', 'json'],
  [' \n\t[1]', 'json'],
  ['\uFEFF{}', 'json'],
  ['<!doctype html><p>', 'html'],
  ['\n<html>', 'html'],
  ['database', 'unknown'],
  ['Internal Server Error', 'unknown'],
  ['data', 'unknown'],
  ['', 'unknown'],
  ['   ', 'unknown'],
  ['null', 'unknown'],
];

for (const [text, kind] of SNIFFED) {
  test(`sniffBody classifies ${JSON.stringify(text)} as ${kind} and keeps the whole body`, async () => {
    for (const type of [null, 'text/plain', 'application/octet-stream', 'nonsense']) {
      for (const chunks of [[text], splitBytes(text), ['', text, '']]) {
        const sniffed = await sniffBody(createResponse(type, chunks));
        assert.equal(sniffed.kind, kind);
        const bytes = Buffer.from(await new Response(sniffed.body).arrayBuffer());
        assert.equal(bytes.toString(), text);
      }
    }
  });
}

test('sniffBody resolves as soon as the first bytes are conclusive', async () => {
  const { stream, push } = createControlledStream();
  const sniffed = sniffBody(new Response(stream));
  push('dat');
  push('a:');
  assert.equal((await sniffed).kind, 'events');
});

test('sniffBody stops after 1,024 bytes of white space', async () => {
  const { stream, push } = createControlledStream();
  push(' '.repeat(1025));
  const sniffed = await sniffBody(new Response(stream));
  assert.equal(sniffed.kind, 'unknown');
});

test('sniffBody classifies a response without a body as unknown', async () => {
  const sniffed = await sniffBody(new Response(null));
  assert.equal(sniffed.kind, 'unknown');
  assert.equal(await new Response(sniffed.body).text(), '');
});

test('sniffBody cancels the source when its body is cancelled', async () => {
  const controlled = createControlledStream();
  controlled.push('{');
  const { body } = await sniffBody(new Response(controlled.stream));
  await body.cancel('enough');
  assert.deepEqual(controlled.cancelled, { reason: 'enough' });
});

test('sniffBody passes an error during sniffing on to the reader of the body', async () => {
  const controlled = createControlledStream();
  const pending = sniffBody(new Response(controlled.stream));
  controlled.push('da');
  await new Promise((resolve) => setImmediate(resolve));
  controlled.fail(new TypeError('terminated'));
  const { kind, body } = await pending;
  assert.equal(kind, 'unknown');
  await assert.rejects(new Response(body).text());
});
