import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffBody, type BodyKind } from '../../src/transport/response.js';
import { createControlledStream, createStreamOf } from '../helpers/controlled-stream.js';

function answer(type: string | null, pieces: readonly (string | Uint8Array)[]): Response {
  const response = new Response(createStreamOf(pieces));
  if (type !== null) response.headers.set('content-type', type);
  return response;
}

const bytewise = (text: string) =>
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
  test(`believes ${type} whatever the body is`, async () => {
    for (const text of ['data: x\n\n', '{}', '<p>', '']) {
      const content = await sniffBody(answer(type, [text]));
      assert.equal(content.kind, kind);
      assert.equal(await new Response(content.body).text(), text);
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
  test(`sniffs ${JSON.stringify(text)} as ${kind}, and loses nothing`, async () => {
    for (const type of [null, 'text/plain', 'application/octet-stream', 'nonsense']) {
      for (const pieces of [[text], bytewise(text), ['', text, '']]) {
        const content = await sniffBody(answer(type, pieces));
        assert.equal(content.kind, kind);
        const bytes = Buffer.from(await new Response(content.body).arrayBuffer());
        assert.equal(bytes.toString(), text);
      }
    }
  });
}

test('tells the kind as soon as it can, before the rest of the body is there', async () => {
  const { stream, push } = createControlledStream();
  const content = sniffBody(new Response(stream));
  push('dat');
  push('a:');
  assert.equal((await content).kind, 'events');
});

test('does not wait behind endless white space', async () => {
  const { stream, push } = createControlledStream();
  push(' '.repeat(1025));
  const content = await sniffBody(new Response(stream));
  assert.equal(content.kind, 'unknown');
});

test('knows an answer without a body', async () => {
  const content = await sniffBody(new Response(null));
  assert.equal(content.kind, 'unknown');
  assert.equal(await new Response(content.body).text(), '');
});

test('passes the cancelling of the body on to its source', async () => {
  const controlled = createControlledStream();
  controlled.push('{');
  const { body } = await sniffBody(new Response(controlled.stream));
  await body.cancel('enough');
  assert.deepEqual(controlled.cancelled, { reason: 'enough' });
});

test('breaks for its reader, not before, when the body breaks while it is looked at', async () => {
  const controlled = createControlledStream();
  const pending = sniffBody(new Response(controlled.stream));
  controlled.push('da');
  await new Promise((resolve) => setImmediate(resolve));
  controlled.fail(new TypeError('terminated'));
  const { kind, body } = await pending;
  assert.equal(kind, 'unknown');
  await assert.rejects(new Response(body).text());
});
