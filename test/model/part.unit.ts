import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAnswerData } from '../../src/model/part.js';

const FILE = { name: 'list.csv' };

for (const [answer, input] of [
  [{ type: 'text', text: '2026' }, '2026'],
  [{ type: 'json', value: { year: 2026 } }, { year: 2026 }],
  [{ type: 'file', file: FILE }, 'list.csv'],
  [{ type: 'file', file: FILE, text: 'The list' }, 'The list'],
  [{ type: 'declined', text: 'No.' }, null],
] as const) {
  test(`toAnswerData represents ${JSON.stringify(answer)} by ${JSON.stringify(input)}`, () => {
    assert.deepEqual(toAnswerData(answer), { input, type: answer.type });
  });
}
