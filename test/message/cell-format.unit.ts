import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageStrings } from '../../src/locales/en-messages.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import { createCellFormatter, toNumber, toTime } from '../../src/message/data/cell-format.js';
import type { DataCell, DataColumn } from '../../src/model/part.js';

addDefaultStrings(messageStrings);

/** Formats a cell of a column. */
const format = (cell: DataCell, type: DataColumn['type'], name = 'c', lang = 'en'): string =>
  createCellFormatter({ name, type }, findLocale(lang))(cell);

test('toNumber parses numbers and decimal texts', () => {
  const cells = [1.5, '2', '-3.50', '.5', '4.', '1e3', ' 7 '];
  assert.deepEqual(cells.map(toNumber), [1.5, 2, -3.5, 0.5, 4, 1000, 7]);
});

test('toNumber returns null for other texts', () => {
  const cells = ['', 'x', '1,000', '0x10', '1 2', 'Infinity', true, null];
  assert.deepEqual(new Set(cells.map(toNumber)), new Set([null]));
});

test('toTime parses ISO 8601, without a zone as UTC', () => {
  const start = Date.UTC(2024, 1, 29);
  assert.deepEqual(toTime('2024-02-29'), { time: start, hasTime: false, hasZone: false });
  const noon = start + 12 * 3_600_000;
  assert.deepEqual(toTime('2024-02-29 12:00'), { time: noon, hasTime: true, hasZone: false });
  const zoned = { time: noon, hasTime: true, hasZone: true };
  assert.deepEqual(toTime('2024-02-29T14:00:00.000+02:00'), zoned);
  assert.deepEqual(toTime('2024-02-29 06:30:00-0530'), zoned, 'a zone without a colon');
});

test('toTime returns null for texts that Date would accept', () => {
  const cells = ['12', 'A-1', 'hall 3', '2024', '2024-13-01', 'March 7', 7, null];
  assert.deepEqual(new Set(cells.map(toTime)), new Set([null]));
});

test('a number is formatted in the language, with the decimals that it has', () => {
  assert.equal(format(12345.5, 'number'), '12,345.5');
  assert.equal(format('12345.50', 'number'), '12,345.50');
  assert.equal(format(12345.5, 'number', 'c', 'de'), '12.345,5');
  assert.equal(format(-12345, 'number'), '-12,345');
});

test('a number of four digits, an id and a year have no separators', () => {
  assert.equal(format(2024, 'number'), '2024');
  for (const name of ['id', 'user_id', 'userId', 'Year']) {
    assert.equal(format(12345, 'number', name), '12345', name);
  }
  assert.equal(format(12345, 'number', 'paid'), '12,345');
});

test('a number with many decimals is rounded to six, a tiny one to six digits', () => {
  assert.equal(format(1 / 3, 'number'), '0.333333');
  assert.equal(format(0.00012345678, 'number'), '0.000123457');
});

test('a number that formatting would change is shown unchanged', () => {
  assert.equal(format('12345678901234567890', 'number'), '12345678901234567890');
  assert.equal(format(1e21, 'number'), '1e+21');
});

test('a date is formatted in the language, a time without a zone without conversion', () => {
  assert.equal(format('2024-02-29', 'date'), 'Feb 29, 2024');
  assert.equal(format('2024-02-29', 'date', 'c', 'de'), '29.02.2024');
  assert.match(format('2024-02-29 23:30:00', 'date'), /^Feb 29, 2024, 11:30:00\sPM$/);
});

test('a boolean is formatted as yes or no in any column', () => {
  assert.deepEqual([format(true, 'boolean'), format(false, 'text')], ['Yes', 'No']);
});

test('a text that its column cannot format is shown unchanged, a number in a column of texts is formatted', () => {
  assert.equal(format('n/a', 'number'), 'n/a');
  assert.equal(format('soon', 'date'), 'soon');
  assert.equal(format('12345', 'text'), '12345');
  assert.equal(format(12345, 'text'), '12,345');
  assert.equal(format(null, 'number'), '');
});

test('a time with a zone is shown in the zone of the user, and one without a zone unchanged', () => {
  const before = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  try {
    assert.equal(format('2024-03-01', 'date'), 'Mar 1, 2024');
    assert.match(format('2024-03-01 01:30', 'date'), /^Mar 1, 2024, 1:30:00\sAM$/);
    assert.match(format('2024-03-01T01:30:00Z', 'date'), /^Feb 29, 2024, 8:30:00\sPM$/);
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
});

test('zero has no more decimals than it was given', () => {
  assert.deepEqual([format(0, 'number'), format('0.00', 'number')], ['0', '0.00']);
});
