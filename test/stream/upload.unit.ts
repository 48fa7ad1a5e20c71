import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createFetchUpload,
  createRequestUpload,
  type UploadRequest,
} from '../../src/stream/platform/upload.js';

const REQUEST: UploadRequest = {
  method: 'POST',
  url: 'https://api.test/up',
  headers: { authorization: 'Bearer t', accept: 'application/json' },
  body: new FormData(),
  credentials: 'omit',
};

/** A transfer that the test drives. Only what is used of XMLHttpRequest is there. */
class ScriptedTransfer {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly sent: unknown[] = [];
  readonly headers: string[] = [];
  opened: string[] = [];
  status = 0;
  statusText = '';
  responseURL = '';
  responseText = '';
  withCredentials = false;
  aborted = false;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open(...line: string[]) {
    this.opened = line;
  }

  setRequestHeader(name: string, value: string) {
    this.headers.push(`${name}: ${value}`);
  }

  getAllResponseHeaders() {
    return 'content-type: application/json\r\nretry-after: 7\r\nx-odd\r\n';
  }

  send(body: unknown) {
    this.sent.push(body);
  }

  abort() {
    this.aborted = true;
    this.onabort?.();
    this.onloadend?.();
  }

  answer(status: number, text: string, url = REQUEST.url) {
    Object.assign(this, { status, responseText: text, responseURL: url, statusText: 'x' });
    this.onload?.();
    this.onloadend?.();
  }
}

function setup(request: Partial<UploadRequest> = {}) {
  const transfer = new ScriptedTransfer();
  const progress: (readonly [number, number])[] = [];
  const upload = createRequestUpload(() => transfer as unknown as XMLHttpRequest);
  const answer = upload({ ...REQUEST, ...request }, (sent, total) => progress.push([sent, total]));
  return { transfer, progress, answer };
}

test('sends method, address, headers and body, and no cookies to other origins', async () => {
  const { transfer, answer } = setup();
  transfer.answer(200, '{"id":1}');
  const { status, text, url, headers } = await answer;
  assert.deepEqual([status, text, url], [200, '{"id":1}', 'https://api.test/up']);
  assert.equal(headers.get('retry-after'), '7');
  assert.deepEqual(transfer.opened, ['POST', 'https://api.test/up']);
  assert.deepEqual(transfer.headers, ['authorization: Bearer t', 'accept: application/json']);
  assert.deepEqual(transfer.sent, [REQUEST.body]);
  assert.equal(transfer.withCredentials, false);
});

test('tells how far it is', async () => {
  const { transfer, progress, answer } = setup();
  transfer.upload.onprogress?.({ loaded: 10, total: 100 });
  transfer.upload.onprogress?.({ loaded: 100, total: 100 });
  transfer.answer(200, '');
  await answer;
  assert.deepEqual(progress, [
    [10, 100],
    [100, 100],
  ]);
});

test('tells where an answer came from, so that one of another origin can be refused', async () => {
  const { transfer, answer } = setup();
  transfer.answer(200, '{}', 'https://elsewhere.test/');
  assert.equal((await answer).url, 'https://elsewhere.test/');
});

test('rejects when no answer came', async () => {
  const { transfer, answer } = setup();
  transfer.onerror?.();
  await assert.rejects(answer, TypeError);
});

test('aborts with its signal', async () => {
  const abort = new AbortController();
  const { transfer, answer } = setup({ signal: abort.signal });
  abort.abort(new Error('enough'));
  await assert.rejects(answer, /enough/);
  assert.equal(transfer.aborted, true);
});

test('sends nothing when its signal was aborted before', async () => {
  const { transfer, answer } = setup({ signal: AbortSignal.abort(new Error('enough')) });
  await assert.rejects(answer, /enough/);
  assert.deepEqual(transfer.sent, []);
});

test('does not touch a finished transfer when the signal is aborted later', async () => {
  const abort = new AbortController();
  const { transfer, answer } = setup({ signal: abort.signal });
  transfer.answer(200, '');
  await answer;
  abort.abort();
  assert.equal(transfer.aborted, false);
});

test('by fetch: refuses redirects, keeps no cache, tells the size at the end', async () => {
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
