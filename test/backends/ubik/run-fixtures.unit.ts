import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../src/backends/ubik/index.js';
import type { WireEvent } from '../../../src/backends/ubik/events/wire-event.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { createRandom, pickIndex } from '../../helpers/seeded-random.js';
import { createStreamOf } from '../../helpers/controlled-stream.js';
import { showMessage } from './support/naive-reducer.js';
import { printCanonical, readRunFixtures, type RunFixture } from './support/run-fixture.js';
import { jsonResponse } from '../../helpers/http-client.js';
import { streamResponse, KEYS, SESSION, setupSession } from './support/ubik-session.js';
import { cutAt, cutBy, cutLines, FORMS, printStream, type Form } from './support/wire-forms.js';
import { seedsUpTo } from '../../helpers/sample.js';

const DRAFT = { text: 'A question', attachments: [] };
/** Number of positions, spread over a stream, at which it is cut in two. */
const SPLITS = seedsUpTo(60).length;

interface Outcome {
  readonly parts: string;
  readonly shown: unknown;
  readonly status: string;
  readonly codes: readonly string[];
}

type Cut = (bytes: Uint8Array) => Uint8Array[];

async function play(fixture: RunFixture, form: Form, newline: string, cut: Cut): Promise<Outcome> {
  return playEvents(fixture.connections, (events) => cut(printStream(events, form, newline)));
}

async function playEvents(
  connections: RunFixture['connections'],
  print: (events: readonly WireEvent[]) => Uint8Array[],
): Promise<Outcome> {
  const remaining = [...connections];
  const session = setupSession((request) => {
    const isStream = request.method === 'POST' || request.url.includes('/stream');
    if (!isStream) return jsonResponse({ items: [] });
    return streamResponse(createStreamOf(print(remaining.shift() ?? [])));
  });
  const { signal } = new AbortController();
  await session.read(session.backend.send(SESSION, DRAFT, KEYS, signal));
  while (remaining.length > 0) {
    const run = { id: session.thread.run.id, keys: KEYS, otherRunIds: [] };
    await session.read(session.backend.rejoin(SESSION, run, signal));
  }
  assert.deepEqual(session.rejected, []);
  return {
    parts: printCanonical(canonicalize(session.answer)),
    shown: showMessage(session.answer),
    status: session.answer.status,
    codes: [...new Set(session.diagnostics.map(({ code }) => code))].sort(),
  };
}

const whole: Cut = (bytes) => [bytes];

for (const fixture of readRunFixtures()) {
  test(`run fixture ${fixture.name} produces its parts, status and diagnostics`, async () => {
    const outcome = await play(fixture, 'F1', '\n', whole);
    assert.equal(outcome.parts, fixture.parts);
    assert.equal(outcome.status, fixture.status);
    assert.deepEqual(outcome.codes, fixture.codes);
  });

  test(`run fixture ${fixture.name} gives the same result in every form of its events and for any chunking`, async () => {
    const expected = await play(fixture, 'F1', '\n', whole);
    const random = createRandom(fixture.name.length);
    const cuts: Cut[] = [
      whole,
      cutLines,
      (bytes) => cutBy(bytes, () => 1),
      (bytes) => cutBy(bytes, () => pickIndex(random, 60)),
    ];
    for (const form of FORMS) {
      for (const newline of ['\n', '\r\n']) {
        for (const cut of form === 'F1' ? cuts : [cuts[3] ?? whole]) {
          const outcome = await play(fixture, form, newline, cut);
          assert.deepEqual(outcome, expected, `${form}, ${JSON.stringify(newline)}`);
        }
      }
    }
    const [first] = fixture.connections;
    const length = printStream(first ?? [], 'F1').length;
    for (let at = 1; at < length; at += Math.max(1, Math.floor(length / SPLITS))) {
      const outcome = await play(fixture, 'F1', '\n', (bytes) => cutAt(bytes, at));
      assert.deepEqual(outcome, expected, `cut at ${at}`);
    }
  });

  if (fixture.equalsStored !== 'none' && fixture.stored !== null) {
    const stored = printCanonical(canonicalize(parseContent(fixture.stored)));
    test(`run fixture ${fixture.name} streams the same message as is stored`, async () => {
      assert.equal((await play(fixture, 'F1', '\n', whole)).parts, stored);
      if (fixture.equalsStored === 'final') return;
      const connections = fixture.connections.map((events) => events.map(withoutFinalContent));
      const outcome = await playEvents(connections, (events) => [printStream(events, 'F1')]);
      assert.equal(outcome.parts, stored, 'built from its events alone');
    });
  }
}

function withoutFinalContent(event: WireEvent): WireEvent {
  if (event.type !== 'agent_processing_complete') return event;
  return { type: event.type, fields: { ...event.fields, content: '' } };
}
