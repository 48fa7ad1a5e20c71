import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NO_REFERENCES,
  type References,
} from '../../../../src/backends/data-agent/projection/citation-reader.js';
import { ProjectedText } from '../../../../src/backends/data-agent/projection/projected-text.js';
import type { Change } from '../../../../src/model/change.js';

const REFERENCES: References = {
  byIndex: [{ title: 'News', url: 'https://news.example/a' }],
  bySlice: [],
};
const CITATION = '<i index=0>1</i>';
const MARK = '\uE000c1\uE001';

const createText = (references = REFERENCES) => new ProjectedText('m', 'p', references);
const textChange = (at: number, text: string): Change => ({
  type: 'text',
  message: 'm',
  part: 'p',
  at,
  text,
});
/** Paths of the fields that changes set, and their texts. */
const describe = (changes: readonly Change[]) =>
  changes.map((change) =>
    change.type === 'set' ? change.path.join('/') : change.type === 'text' ? change.text : '?',
  );

test('ProjectedText appends a chunk to the shown text', () => {
  const text = createText();
  assert.deepEqual(text.append('Hello', 'Hello'), [textChange(0, 'Hello')]);
  assert.deepEqual(text.append(' you', 'Hello you'), [textChange(5, ' you')]);
  assert.deepEqual([text.source, text.shown, text.marksField], ['Hello you', 'Hello you', {}]);
});

test('ProjectedText sets a mark before the text that contains it', () => {
  const text = createText();
  const changes = text.append(`x${CITATION}`, `x${CITATION}`);
  assert.deepEqual(describe(changes), ['marks/c1', `x${MARK}`]);
  assert.deepEqual(Object.keys(text.marksField.marks ?? {}), ['c1']);
});

test('ProjectedText changes nothing when it is replaced by the same string', () => {
  const text = createText();
  text.append('Hello', 'Hello');
  assert.deepEqual(text.replace('Hello', NO_REFERENCES), []);
});

test('ProjectedText reads the same string again when its sources have changed', () => {
  const text = createText(NO_REFERENCES);
  const source = `x${CITATION} [0].`;
  text.append(source, source);
  assert.deepEqual(describe(text.replace(source, REFERENCES)), [
    'marks',
    'marks/c1',
    'marks/c2',
    '\uE000c2\uE001.',
  ]);
  assert.equal(text.marksField.marks?.['c1']?.url, 'https://news.example/a');
  const [news = { title: '', url: '' }] = REFERENCES.byIndex;
  assert.deepEqual(text.replace(source, { byIndex: [{ ...news }], bySlice: [] }), []);
  for (const changed of [{ title: 'Other' }, { url: 'https://news.example/b' }]) {
    const references = { byIndex: [{ ...news, ...changed }], bySlice: [] };
    assert.notDeepEqual(text.replace(source, references), [], JSON.stringify(changed));
  }
});

test('ProjectedText keeps the common prefix when it is replaced', () => {
  const text = createText();
  text.append('Hello you', 'Hello you');
  assert.deepEqual(text.replace('Hello world', REFERENCES), [textChange(6, 'world')]);
  assert.deepEqual(text.replace('Hello world!', REFERENCES), [textChange(11, '!')]);
  assert.deepEqual(text.replace('Hello', REFERENCES), [textChange(5, '')]);
  assert.equal(text.shown, 'Hello');
});

test('ProjectedText removes its marks when it is replaced', () => {
  const text = createText();
  text.append(`x${CITATION}`, `x${CITATION}`);
  const changes = text.replace('xy', NO_REFERENCES);
  assert.deepEqual(describe(changes), ['marks', 'y']);
  assert.deepEqual([text.shown, text.marksField], ['xy', {}]);
});

test('ProjectedText sets no marks when a text without marks is replaced', () => {
  const text = createText();
  text.append('a', 'a');
  assert.deepEqual(describe(text.replace('b', REFERENCES)), ['b']);
});

test('ProjectedText shows withheld text at its end, once', () => {
  const text = createText();
  assert.deepEqual(describe(text.append('a <i', 'a <i')), ['a ']);
  assert.deepEqual(describe(text.end()), ['<i']);
  assert.deepEqual(text.end(), []);
  assert.equal(text.shown, 'a <i');
});
