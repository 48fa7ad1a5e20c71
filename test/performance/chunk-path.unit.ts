import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { createStreamController } from '../../src/controller/controller.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { isExhaustive, onlyExhaustive } from '../helpers/sample.js';

const SESSION = '11111111-1111-4111-8111-111111111111';
const TASK = '22222222-2222-4222-8222-222222222222';
/** Events per network chunk. */
const EVENTS_PER_PIECE = 4;
/** Permitted cost per chunk of the last fifth relative to the second and third tenth. */
const LIMIT = 1.3;

const record = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

const START = Date.UTC(2026, 0, 1);

function chunkAt(index: number): string {
  const timestamp = new Date(START + index).toISOString();
  return record({ type: 'response_chunk', step: 1, content: `word ${index} `, timestamp });
}

/** Number of chunks of a long answer. */
const CHUNKS = isExhaustive ? 100_000 : 20_000;

/** A stream of `count` chunks, created as they are read. Calls `onPiece` before each piece. */
function streamOf(count: number, onPiece: (index: number) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let index = -1;
  return new ReadableStream(
    {
      pull: (controller) => {
        if (index < 0) {
          const opening = { type: 'agent_step_started', step: 1, description: 'Write' };
          const head = { type: 'connection_established', session_id: SESSION, task_id: TASK };
          controller.enqueue(encoder.encode(record(head) + record(opening)));
          index = 0;
          return;
        }
        onPiece(index);
        if (index >= count) {
          controller.enqueue(encoder.encode(record({ type: 'agent_processing_complete' })));
          controller.close();
          return;
        }
        let piece = '';
        for (const end = index + EVENTS_PER_PIECE; index < end; index += 1) piece += chunkAt(index);
        controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
}

/** CPU time of the chunks from 80 to 100 % relative to those from 10 to 30 %, from bytes to the change listener. */
async function measureGrowth(count: number, copies: boolean): Promise<number> {
  const marks = new Map([0.1, 0.3, 0.8, 1].map((share) => [count * share, 0]));
  const stream = streamOf(count, (index) => {
    if (marks.has(index)) marks.set(index, process.cpuUsage().user);
  });
  const now = '2026-01-01T00:00:00Z';
  const session = { id: SESSION, status: 'active', created_at: now, updated_at: now };
  const environment = createEnvironment({
    fetch: (url, init) => {
      if (url.endsWith('/messages') && init.method === 'POST') {
        return Promise.resolve(
          new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
        );
      }
      return Promise.resolve(Response.json(url.endsWith('/messages') ? { items: [] } : session));
    },
  });
  const backend = createUbikBackend({ baseUrl: 'http://service.test/api/v1', environment });
  const controller = createStreamController({ backend, environment });
  const ended = new Promise<string>((resolve) => {
    controller.onNotice(({ type }) => {
      if (type.startsWith('run-') && type !== 'run-started') resolve(type);
    });
  });
  let units = 0;
  controller.subscribe({ all: true }, (change) => {
    if (change.type !== 'text') return;
    units += change.text.length;
    if (!copies) return;
    // The defect that the measurement must detect: the whole text is read for each change.
    const text = controller.thread?.messages.get(change.message)?.parts.get(change.part)?.text;
    Buffer.from(text?.read() ?? '');
  });
  await controller.send({ text: 'Write a lot.', attachments: [] });
  assert.equal(await ended, 'run-completed');
  controller.close();
  assert.ok(units > count * 6, 'the listener was called for every chunk');
  const [at10 = 0, at30 = 0, at80 = 0, at100 = 0] = [...marks.values()];
  return (at100 - at80) / (at30 - at10);
}

test(`chunk path costs the same for the last of ${CHUNKS} chunks as for the first, from bytes to listener`, async () => {
  // Compiles the code.
  await measureGrowth(20_000, false);
  const rounds: number[] = [];
  const countWithinLimit = () => rounds.filter((ratio) => ratio <= LIMIT).length;
  // The median of three is within the limit as soon as two are.
  while (rounds.length < 3 && countWithinLimit() < 2)
    rounds.push(await measureGrowth(CHUNKS, false));
  assert.ok(countWithinLimit() >= 2, rounds.map((ratio) => ratio.toFixed(2)).join(', '));
});

test(
  'chunk path with a listener that copies the text for each chunk fails the measurement',
  onlyExhaustive,
  async () => {
    assert.ok((await measureGrowth(20_000, true)) > LIMIT);
  },
);
