import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PatchedReply } from '../../../src/backends/data-agent/patched-reply.js';
import { AnswerState } from '../../../src/backends/data-agent/run/answer-state.js';
import { StreamEventReader } from '../../../src/backends/data-agent/stream-events.js';
import { AnswerProjection } from '../../../src/backends/data-agent/projection/answer-projection.js';
import { toPartTrees } from '../../../src/model/part-tree.js';
import { readEventChunks } from '../../../src/transport/sse.js';
import { createStreamOf } from '../../helpers/controlled-stream.js';
import { setupMessage } from '../../helpers/model-message.js';
import { createRandom } from '../../helpers/seeded-random.js';
import { readDataAgentFixtures, withoutKeys } from './fixtures.js';
import { shuffle } from './support/json-chains.js';

/** How a stream arrives: its chunks, and variants of its bytes. */
const MODES: Readonly<Record<string, (stream: string) => readonly Uint8Array[]>> = {
  'event by event': (stream) => stream.split(/(?<=\n\n)/u).map(encode),
  'byte by byte': (stream) => Array.from(encode(stream), (byte) => Uint8Array.of(byte)),
  'in one piece': (stream) => [encode(stream)],
  'with CRLF, byte by byte': (stream) =>
    Array.from(encode(stream.replaceAll('\n', '\r\n')), (byte) => Uint8Array.of(byte)),
  'with its first snapshot shuffled': (stream) => [encode(shuffleSnapshot(stream))],
  'without its last line end': (stream) => [encode(stream.trimEnd())],
};

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Reorders the patches of the first snapshot, whose order is not defined. */
function shuffleSnapshot(stream: string): string {
  const events = stream.split(/(?<=\n\n)/u);
  const isTop = (event: string) => /"key":\["\w+"\]/u.test(event);
  const end = events.findIndex((event) => !isTop(event));
  const first = events.slice(0, Math.max(0, end));
  return [...shuffle(first, createRandom(7)), ...events.slice(first.length)].join('');
}

/** Reads a stream as the backend does. */
async function readStream(pieces: readonly Uint8Array[]) {
  const model = setupMessage();
  const reply = new PatchedReply();
  const projection = new AnswerProjection({ message: 'm' });
  const unexpected: string[] = [];
  const report = ({ code }: { code: string }) => unexpected.push(code);
  const answer = new AnswerState({
    message: 'm',
    question: null,
    projection,
    approvals: new Map(),
    onDiagnostic: report,
  });
  const reader = new StreamEventReader(report);
  answer.connect({ buildsOffScreen: false });
  for await (const records of readEventChunks(createStreamOf(pieces), {
    flushAtEnd: true,
  })) {
    for (const record of records) {
      const event = reader.read(record);
      if (event?.type === 'patch') reply.apply(structuredClone(event.patch));
      if (event?.type === 'snapshot') reply.replace(structuredClone(event.root));
      if (event?.type === 'error') {
        reply.apply({ path: ['error'], action: 'upsert', value: structuredClone(event.error) });
      }
      if (event) answer.apply(event);
    }
    model.run(...answer.drainChanges());
  }
  model.run(...answer.finish('complete'));
  assert.deepEqual(unexpected, []);
  return { root: reply.root, parts: withoutKeys(toPartTrees(model.message())) };
}

for (const fixture of readDataAgentFixtures()) {
  for (const [mode, split] of Object.entries(MODES)) {
    test(`data agent stream ${fixture.name} yields the same reply and parts ${mode}`, async () => {
      const { root, parts } = await readStream(split(fixture.stream));
      assert.deepEqual(root, fixture.reply);
      assert.deepEqual(parts, fixture.parts);
    });
  }
}
