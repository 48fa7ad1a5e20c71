import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORGED_FILES } from '../../../hostile/attacks.js';
import { setupRecorded } from '../support/recorded-session.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import { BASE, SESSION, setupSession, signal } from '../support/ubik-session.js';

const DOCUMENT = {
  id: 'd1',
  name: 'Rivers.pdf',
  status: 'completed',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  file_type: 'pdf',
};

test('document methods send the requests of the API', async () => {
  const { session, sent } = setupRecorded((path, method) => {
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'GET' && path.endsWith('/documents')) {
      return jsonResponse({
        items: [{ ...DOCUMENT, is_starred: true }, DOCUMENT],
        total: 2,
        has_more: false,
      });
    }
    return jsonResponse(DOCUMENT);
  });
  const { backend } = session;
  const { items } = await backend.listDocuments(SESSION, { page: 1, limit: 20 });
  assert.deepEqual(items[0], {
    id: 'd1',
    name: 'Rivers.pdf',
    status: 'completed',
    fileType: 'pdf',
    error: null,
    starred: true,
    createdAt: 1767225600000,
  });
  assert.equal(items[1]?.starred, false, 'a document without the field');
  await backend.linkDocuments(SESSION, ['d1', 'd2']);
  await backend.unlinkDocument(SESSION, 'd1');
  await backend.starDocument(SESSION, 'd1', true);
  assert.equal((await backend.loadDocument('d1')).status, 'completed');
  const file = new File(['x'], 'Rivers.pdf');
  const uploaded = await backend.uploadDocument(SESSION, file, () => undefined, signal);
  assert.equal(uploaded.id, 'd1');
  assert.deepEqual(sent, [
    'GET /agent-sessions/s1/documents?page=1&limit=20',
    'POST /agent-sessions/s1/documents {"document_ids":["d1","d2"]}',
    'DELETE /agent-sessions/s1/documents/d1',
    'PUT /agent-sessions/s1/documents/d1/star {"is_starred":true}',
    'GET /documents/d1',
    'POST /agent-sessions/s1/upload',
  ]);
});

test('loadPassage loads a passage, or the document with that id when there is none', async () => {
  const { session, sent } = setupRecorded((path) => {
    if (path.endsWith('/chunks/c1')) {
      return jsonResponse({ id: 'c1', document_id: 'd1', text: 'It flows.', page_number: 3 });
    }
    if (path.endsWith('/chunks/c1/document')) return jsonResponse(DOCUMENT);
    if (path.endsWith('/documents/d1'))
      return jsonResponse({ ...DOCUMENT, markdown_content: 'All.' });
    return jsonResponse({ detail: 'none' }, 404);
  });
  assert.deepEqual(await session.backend.loadPassage('c1', signal), {
    id: 'c1',
    documentId: 'd1',
    documentName: 'Rivers.pdf',
    text: 'It flows.',
    page: 3,
  });
  const whole = await session.backend.loadPassage('d1', signal);
  assert.deepEqual([whole.documentName, whole.text, whole.page], ['Rivers.pdf', 'All.', null]);
  assert.ok(sent.includes('GET /chunks/d1'));
  await assert.rejects(session.backend.loadPassage('nope', signal), { code: 'not-found' });
});

test('loadPassage rejects when the lookup of the passage fails', async () => {
  const { session, sent } = setupRecorded((path) =>
    path.includes('/chunks/') ? jsonResponse({}, 500) : jsonResponse(DOCUMENT),
  );
  await assert.rejects(session.backend.loadPassage('d1', signal), { code: 'server' });
  assert.deepEqual(sent, ['GET /chunks/d1']);
});

test('loadPassage omits the name of the document when the document cannot be loaded', async () => {
  const { session } = setupRecorded((path) =>
    path.endsWith('/chunks/c1')
      ? jsonResponse({ id: 'c1', document_id: 'd1', text: 'It flows.' })
      : jsonResponse({}, 500),
  );
  assert.deepEqual(await session.backend.loadPassage('c1', signal), {
    id: 'c1',
    documentId: 'd1',
    documentName: null,
    text: 'It flows.',
    page: null,
  });
});

test('loadToolFile requests the file below the base URL for a URL with another host of the service', async () => {
  const { session, sent } = setupRecorded(() => new Response('bytes'));
  const url = 'https://api.ubik-agent.com/v1/assets/tools/k/x1/a%20b.png';
  const blob = await session.backend.loadToolFile(url, signal);
  assert.equal(await blob.text(), 'bytes');
  assert.deepEqual(sent, ['GET /assets/tools/k/x1/a%20b.png']);
});

test('loadToolFile rejects when the service does not respond within 30 s', async () => {
  const session = setupSession(() => new Promise<Response>(() => undefined));
  const url = `${BASE}/assets/tools/k/x1/a.png`;
  const rejected = assert.rejects(session.backend.loadToolFile(url, signal), { code: 'network' });
  await session.environment.advance(30_000);
  await rejected;
});

test('loadToolFile rejects when the file stops arriving for 30 s, however long it takes as a whole', async () => {
  let pieces: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (pieces = controller),
    cancel: () => void (isCancelled = true),
  });
  const session = setupSession(() => Promise.resolve(new Response(body)));
  const url = `${BASE}/assets/tools/k/x1/a.png`;
  let isSettled = false;
  const rejected = assert.rejects(session.backend.loadToolFile(url, signal), { code: 'network' });
  void rejected.then(() => (isSettled = true));
  for (let count = 0; count < 3; count += 1) {
    await session.environment.advance(20_000);
    pieces?.enqueue(new Uint8Array([1]));
    await session.environment.advance(0);
  }
  assert.deepEqual([isSettled, isCancelled], [false, false]);
  await session.environment.advance(30_000);
  await rejected;
  assert.equal(isCancelled, true);
});

test('loadToolFile rejects with `network` when the file breaks off, and with `aborted` when its signal aborts meanwhile', async () => {
  let isBroken = true;
  const session = setupSession(({ signal: aborted }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (pieces) => {
        pieces.enqueue(new Uint8Array([1]));
        aborted.addEventListener('abort', () => pieces.error(aborted.reason));
      },
      pull: (pieces) => {
        if (isBroken) pieces.error(new TypeError('terminated'));
      },
    });
    return new Response(body);
  });
  const url = `${BASE}/assets/tools/k/x1/a.png`;
  await assert.rejects(session.backend.loadToolFile(url, signal), { code: 'network' });
  isBroken = false;
  const abort = new AbortController();
  const loading = session.backend.loadToolFile(url, abort.signal);
  const rejected = assert.rejects(loading, { code: 'aborted' });
  await session.environment.advance(0);
  abort.abort();
  await rejected;
});

test('loadToolFile returns a file with the media type of the response', async () => {
  const { session } = setupRecorded(
    () => new Response('bytes', { headers: { 'Content-Type': 'image/png' } }),
  );
  const blob = await session.backend.loadToolFile(`${BASE}/assets/tools/k/x1/a.png`, signal);
  assert.deepEqual([blob.type, await blob.text()], ['image/png', 'bytes']);
});

test('loadToolFile rejects a URL that is not a file route, and sends no request', async () => {
  const { session, sent } = setupRecorded(() => new Response('bytes'));
  for (const address of [...FORGED_FILES, 'https://evil.test/x.png', '']) {
    await assert.rejects(
      session.backend.loadToolFile(address, signal),
      { code: 'foreign-origin' },
      address,
    );
  }
  assert.deepEqual(sent, []);
});

test('loadDocument rejects or encodes an id that would change the path', async () => {
  const { session, sent } = setupRecorded(() => jsonResponse({}));
  await assert.rejects(session.backend.loadDocument('..'), { code: 'misuse' });
  await session.backend.loadDocument('a/../../b').catch(() => undefined);
  assert.deepEqual(sent, ['GET /documents/a%2F..%2F..%2Fb']);
});
