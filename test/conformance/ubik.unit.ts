import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLazyUbikBackend } from '../../src/backends/ubik/lazy-ubik.js';
import { shareTestServer } from '../demo/test-server.js';
import { assertStored, describeBackend, Reader, type Subject } from './backend-conformance.js';
import { connectUbik, QUESTION } from './ubik-subject.js';
import { sampleOf } from '../helpers/sample.js';

const getServer = shareTestServer();

const setupWith = (dialect: string) => (): Subject => connectUbik(getServer(), dialect);

describeBackend('ubik', setupWith('F1'));
describeBackend('ubik, loaded with the first call', () =>
  connectUbik(getServer(), 'F1', createLazyUbikBackend),
);
describeBackend(
  'ubik, other dialect',
  setupWith(
    'F4,crlf,naive,delta=200,delta-shuffle,answer=json,final=empty,waiting=open,checkpoint-id,linger',
  ),
);

/** Dialects (listed in `demo/README.md`) without a final content: the message has to be built from its events alone. */
const DIALECTS = [
  'F1,final=empty',
  'F2,crlf,final=empty,answer=json-assistant,waiting=complete',
  'F3,bom,naive,final=empty,answer=json-bare,ids',
  'F4,cut=3,final=empty,alias',
  'F5,delta=120,delta-reverse,delta-no-last,final=empty',
  'F6,cr,shuffle=6,final=empty',
];
const QUESTIONS = [
  QUESTION,
  'How does an answer survive a broken network?',
  'What is 12.5 * (3 + 4)^2?',
  'What is 5 / 0?',
  'Which is the biggest river in Europe?',
  'Compare the basins of the Rhine and the Danube.',
  'What about zxqwv plugh?',
];

for (const [index, dialect] of DIALECTS.entries()) {
  test(`ubik: a message built from events alone equals the stored one (${dialect})`, async () => {
    const { backend } = connectUbik(getServer(), dialect);
    for (const question of sampleOf(QUESTIONS, 3, index)) {
      const reader = new Reader(backend);
      await reader.open();
      const { answer } = await reader.ask(question, true);
      await assertStored(reader, answer);
      assert.deepEqual(reader.rejected, []);
    }
  });
}
