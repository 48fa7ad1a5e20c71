import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  streamResponse,
  HELLO,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  signal,
  type UbikSession,
} from '../support/ubik-session.js';

const START = Date.UTC(2026, 0, 1);
const END = { type: 'agent_processing_complete', message_id: 'm1', content: 'One. Two.' };

/** An event that the service has sent a number of ms after the first one. */
const at = (milliseconds: number, event: object): object => ({
  ...event,
  timestamp: new Date(START + milliseconds).toISOString(),
});

/** Pieces of a stream: the events of each arrive `after` ms after the previous piece. */
type Pieces = readonly (readonly [after: number, events: readonly object[]])[];

function setup(pieces: Pieces): UbikSession {
  const session = setupSession(({ method, url }) => {
    if (method !== 'POST' && !url.includes('/stream')) return jsonResponse({ items: [] });
    const rest = [...pieces];
    return streamResponse(
      new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            // The events before are applied in the meantime.
            await new Promise((resolve) => setImmediate(resolve));
            const [after, events] = rest.shift() ?? [0, null];
            session.environment.jump(after);
            if (events) controller.enqueue(new TextEncoder().encode(printEvents(events)));
            else controller.close();
          },
        },
        // A piece is produced, and time passes, when the previous one has been read.
        { highWaterMark: 0 },
      ),
    );
  });
  return session;
}

const codesOf = ({ diagnostics }: UbikSession): string[] => diagnostics.map(({ code }) => code);
const send = (session: UbikSession) =>
  session.read(session.backend.send(SESSION, { text: 'Go', attachments: [] }, KEYS, signal));

test('a stream whose events of several seconds arrive at once is reported once, with the setting of the proxy to change', async () => {
  const chunk = { type: 'response_chunk', content: 'One.' };
  const session = setup([[9000, [at(0, HELLO), at(6000, chunk), at(9000, END)]]]);
  assert.equal(await send(session), null);
  assert.deepEqual(codesOf(session), ['buffered-stream']);
  assert.match(session.diagnostics[0]?.message ?? '', /6 s.*proxy_buffering off/);
});

test('a stream whose events arrive as they are sent is not reported, whatever the clock of the page', async () => {
  const chunk = { type: 'response_chunk', content: 'One.' };
  const session = setup([
    [-3_600_000, [at(0, HELLO)]],
    [6000, [at(6000, chunk)]],
    [3000, [at(9000, END)]],
  ]);
  assert.equal(await send(session), null);
  assert.deepEqual(codesOf(session), []);
});

test('a stream that stalls after its first event is not reported', async () => {
  const session = setup([
    [0, [at(0, HELLO)]],
    [20_000, [at(9000, END)]],
  ]);
  assert.equal(await send(session), null);
  assert.deepEqual(codesOf(session), []);
});

test('the replay of a rejoined run is not reported', async () => {
  const session = setup([[0, [at(0, HELLO), at(9000, END)]]]);
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  assert.equal(await session.read(session.backend.rejoin(SESSION, run, signal)), null);
  assert.deepEqual(codesOf(session), []);
});
