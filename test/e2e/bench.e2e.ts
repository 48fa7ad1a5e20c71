/** Checks the documents of the benchmark, and that its subjects render the same content. Does not check the measured values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStructures, readStyles, runOnce } from '../../bench/browser.js';
import { cutText, makeDocument } from '../../bench/documents.js';
import { growthOf, printResult, type SubjectRuns } from '../../bench/report.js';
import { SCENARIOS } from '../../bench/scenarios.js';
import { isExhaustive, onlyExhaustive, sampleOf } from '../helpers/sample.js';

const KINDS = ['mix10k', 'code100k', 'table500', 'para100k', 'list100k'];

test('benchmark document is the same for the same seed, and differs for another seed', () => {
  for (const name of KINDS) {
    assert.equal(makeDocument(name, 3).text, makeDocument(name, 3).text);
    assert.notEqual(makeDocument(name, 3).text, makeDocument(name, 4).text);
  }
  assert.throws(() => makeDocument('no such'), RangeError);
});

test('benchmark chunks add up to the document, and none splits a character', () => {
  const { text } = makeDocument('mix10k');
  const chunks = cutText(text);
  assert.equal(chunks.join(''), text);
  assert.ok(chunks.every((chunk) => !/[\ud800-\udbff]$/.test(chunk)));
});

test('the reference renderer of the benchmark renders the same content as the renderer for every kind of document', async () => {
  for (const name of sampleOf(KINDS, 2)) {
    for (const seed of isExhaustive ? [1, 2] : [1]) {
      const text = makeDocument(name, seed).text.slice(0, 20_000);
      const { streamed, atOnce, reference } = await readStructures(text);
      assert.equal(streamed, atOnce, `${name}, rendered at once`);
      assert.equal(streamed, reference, `${name}, by the reference renderer`);
    }
  }
});

test('the reference renderer and the bare renderer of the benchmark have the styles of the chat', async () => {
  const { text } = makeDocument('mix10k');
  const styles = await readStyles(text, ['chat', 'dom-replay-raf', 'bare']);
  const chat = styles.get('chat') ?? '';
  assert.ok(chat.split('\n').length > 50);
  assert.equal(styles.get('dom-replay-raf'), chat);
  assert.equal(styles.get('bare'), chat);
});

test('the benchmark streams a document to a chat from bytes to pixels', async () => {
  const { text } = makeDocument('mix10k', 5);
  const request = { text, ahead: 0, rate: 500, limit: 1000, marks: [], markers: [], history: [] };
  const run = await runOnce({ subject: 'transport', ...request, warmUp: 'A **first** answer.' });
  assert.deepEqual([run.fault, run.measurements.fed], [null, 1]);
});

test('the renderer with Markdown extensions and the reference renderer of the benchmark render the output of marked', async () => {
  const { text } = makeDocument('extended10k', 5);
  const request = { text, ahead: 0, rate: 'fast', limit: 0, marks: [], markers: [] } as const;
  for (const subject of ['extended', 'dom-replay-raf']) {
    const run = await runOnce({ subject, ...request, history: [], warmUp: '' });
    assert.deepEqual([run.fault, run.measurements.fed], [null, 1], subject);
  }
});

test(
  'each subject of a benchmark scenario is measured until it has received the whole document',
  onlyExhaustive,
  async () => {
    const { text } = makeDocument('mix10k', 5);
    const request = {
      text,
      ahead: 3000,
      rate: 'fast',
      limit: 0,
      marks: [0.1, 0.3, 0.8, 1],
    } as const;
    const rest = { markers: [], history: ['An older message.'], warmUp: '' };
    const scenario = SCENARIOS.find(({ name }) => name === 'fast mix100k');
    assert.ok(scenario);
    const subjects: SubjectRuns[] = [];
    for (const subject of ['null', 'dom-replay-raf', 'chat', 'bare', 'smd']) {
      const run = await runOnce({ subject, ...request, ...rest });
      assert.deepEqual([run.fault, run.measurements.fed], [null, 1], subject);
      assert.ok(run.cpu.task > 0 && run.marks.length === 4, subject);
      assert.ok(Number.isFinite(growthOf(run)), subject);
      subjects.push({ subject, runs: [run] });
    }
    assert.match(printResult({ scenario, subjects }), /\| chat \| 1 \| [\d.]+ \|/);
  },
);
