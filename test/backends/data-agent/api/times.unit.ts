import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime } from '../../../../src/backends/data-agent/api/times.js';

const NOON = Date.UTC(2026, 0, 2, 12);

test('readTime derives the unit of a time from its magnitude', () => {
  for (const value of [
    NOON / 1000,
    NOON,
    NOON * 1000,
    NOON * 1e6,
    String(NOON),
    '2026-01-02T12:00:00Z',
  ]) {
    assert.equal(readTime(value), NOON, String(value));
  }
  for (const value of [0, -1, '', 'soon', null, undefined, NaN, {}]) {
    assert.equal(readTime(value), null);
  }
});

test('readTime reads 1e11, 1e14 and 1e17 in the smaller unit, and drops fractions of a millisecond', () => {
  for (const value of [1e11, 1e14, 1e17]) assert.equal(readTime(value), 1e11, String(value));
  for (const value of [
    NOON / 1000 + 0.0005,
    NOON + 0.5,
    NOON * 1000 + 500,
    NOON * 1e6 + 500_000,
    '2026-01-02T12:00:00.000500Z',
  ]) {
    assert.equal(readTime(value), NOON, String(value));
  }
});
