import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { canonicalize, createStreamController, pathTo } from '../../src/entries/controller.js';
import { Deferred } from '../helpers/deferred.js';
import { describeBackend, type Subject } from './backend-conformance.js';
import { TextBackend } from './text-backend.js';

/** Starts the service of the guide. It repeats what it was sent, word by word. */
async function setup(context: TestContext): Promise<Subject> {
  let resumed = new Deferred<void>();
  let paused = new Deferred<void>();
  resumed.resolve();
  const respond = async (text: string, response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of text.split(/(?<= )/)) {
      response.write(`data: ${JSON.stringify({ text: word })}\n\n`);
      paused.resolve();
      await resumed.promise;
    }
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => void respond((JSON.parse(body) as { text: string }).text, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    resumed.resolve();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    backend: new TextBackend(`http://127.0.0.1:${String(port)}/`),
    stores: false,
    question: 'Repeat these words',
    longQuestion: 'Repeat these words, one after the other',
    askingQuestion: null,
    toolQuestion: null,
    answer: { type: 'text', text: '' },
    pauseRuns: () => {
      resumed = new Deferred();
      paused = new Deferred();
    },
    whenPaused: () => paused.promise,
    resumeRuns: () => resumed.resolve(),
  };
}

describeBackend('text, a backend that stores nothing', setup);

test('a conversation stays on screen when the service stores nothing', async (context) => {
  const { backend } = await setup(context);
  const controller = createStreamController({ backend });
  context.after(() => controller.close());
  const ended = new Deferred<void>();
  controller.onNotice(({ type }) => {
    if (type === 'run-completed') ended.resolve();
  });
  await controller.send({ text: 'Repeat these words', attachments: [] });
  await ended.promise;
  const { thread } = controller;
  assert.ok(thread?.id);
  await controller.openThread(thread.id);
  const shown = pathTo(controller.thread ?? thread).map((message) => canonicalize(message));
  const part = { kind: 'text', text: 'Repeat these words' };
  assert.deepEqual(shown, [[part], [part]]);
});

test('the guide shows the backend that is tested here', async () => {
  const guide = await readFile('docs/guides/write-a-backend.md', 'utf8');
  const [, code] = /```ts\n(import \{\n  isUbikError.*?)```/s.exec(guide) ?? [];
  const source = await readFile('test/conformance/text-backend.ts', 'utf8');
  assert.equal(code, source.replaceAll(/\.\.\/\.\.\/src\/entries\//g, 'ubik-elements/'));
  assert.ok(source.split('\n').length <= 80);
});
