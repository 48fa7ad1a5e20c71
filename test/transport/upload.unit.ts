import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFetchUpload, type UploadRequest } from '../../src/transport/upload.js';

const REQUEST: UploadRequest = {
  method: 'POST',
  url: 'https://api.test/up',
  headers: { authorization: 'Bearer t', accept: 'application/json' },
  body: new FormData(),
  credentials: 'omit',
};

test('fetch upload rejects redirects, bypasses caches and reports the size at the end', async () => {
  const inits: RequestInit[] = [];
  const progress: number[] = [];
  const upload = createFetchUpload((_, init) => {
    inits.push(init);
    return Promise.resolve(new Response('{"id":1}', { status: 201 }));
  });
  const body = new Blob(['12345']);
  const { status, text } = await upload({ ...REQUEST, body }, (sent, total) =>
    progress.push(sent, total),
  );
  assert.deepEqual([status, text], [201, '{"id":1}']);
  assert.deepEqual(progress, [5, 5]);
  const { redirect, cache, credentials, referrerPolicy } = inits[0] ?? {};
  assert.deepEqual(
    [redirect, cache, credentials, referrerPolicy],
    ['error', 'no-store', 'omit', 'no-referrer'],
  );
});
