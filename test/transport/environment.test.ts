import { expect } from '@open-wc/testing';
import { createEnvironment } from '../../src/transport/environment.js';
import { createHttpClient } from '../../src/transport/http.js';
import { readServerSentEvents } from '../../src/transport/sse.js';

// Only a browser has this network, storage and event loop.
describe('environment in a browser', () => {
  afterEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  it('returns the URL of the page', () => {
    expect(createEnvironment().pageUrl()).to.equal(location.href);
  });

  it('stores texts in localStorage and sessionStorage', async () => {
    const { storage, tabStorage } = createEnvironment();
    await storage.set('a', '1');
    await tabStorage.set('a', '2');
    expect(await createEnvironment().storage.get('a')).to.equal('1');
    expect(await createEnvironment().tabStorage.get('a')).to.equal('2');
  });

  it('stays within its size limit in localStorage', async () => {
    const { storage } = createEnvironment();
    for (let entry = 0; entry < 12; entry++) await storage.set(`${entry}`, 'x'.repeat(200_000));
    let size = 0;
    for (const [key, value] of Object.entries(localStorage))
      size += key.length + String(value).length;
    // The limit is 1 Mi UTF-16 units; the prefixes of the keys are extra.
    expect(size).to.be.at.most(1_100_000);
    expect(await storage.get('11')).to.have.length(200_000);
  });

  it('lets the page paint between yields to the event loop', async () => {
    const environment = createEnvironment();
    let frames = 0;
    const count = () => {
      frames++;
      if (frames < 3) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    // Each turn blocks for half a frame, so that several frames are due within 3,000 turns on any machine.
    for (let turn = 0; frames < 3 && turn < 3000; turn++) {
      const slice = performance.now();
      while (performance.now() - slice < 8);
      await environment.yieldToEventLoop();
    }
    expect(frames).to.equal(3);
  });

  it('uploads with fetch and reports the size at the end', async () => {
    const progress: number[] = [];
    const { upload } = createEnvironment();
    const response = await upload(
      {
        method: 'POST',
        url: new URL('/no-such-place', location.href).href,
        headers: { accept: 'application/json' },
        body: new Blob(['x'.repeat(300_000)]),
        credentials: 'same-origin',
      },
      (sent, total) => progress.push(sent, total),
    );
    expect(response.status).to.equal(404);
    expect(new URL(response.url).pathname).to.equal('/no-such-place');
    expect(response.headers.get('content-type')).to.be.a('string');
    expect(progress).to.deep.equal([300_000, 300_000]);
  });

  it('aborts an upload', async () => {
    const environment = createEnvironment();
    const client = createHttpClient({ environment, baseUrl: '/' });
    const abort = new AbortController();
    const form = new FormData();
    form.set('file', new Blob(['x'.repeat(1_000_000)]), 'a.txt');
    const call = { method: 'POST', path: '/up', form, signal: abort.signal } as const;
    const pending = client.upload(call, () => undefined).catch((error: unknown) => error);
    abort.abort();
    expect(await pending).to.have.property('code', 'aborted');
  });

  it('reads server-sent events from a fetched body', async () => {
    const text = new Blob(['data: é🧪\r\n\r\ndata: b\n\n']);
    const url = URL.createObjectURL(text);
    const { body } = await createEnvironment().fetch(url, {});
    const data: string[] = [];
    if (!body) throw new Error('The response has no body.');
    for await (const event of readServerSentEvents(body)) data.push(event.data);
    URL.revokeObjectURL(url);
    expect(data).to.deep.equal(['é🧪', 'b']);
  });

  it('reports a refused connection as network', async () => {
    const client = createHttpClient({
      environment: createEnvironment(),
      baseUrl: 'http://127.0.0.1:9',
    });
    const error = await client
      .json({ method: 'GET', path: '/x' })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'network');
  });
});
