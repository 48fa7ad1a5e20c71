import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSql } from '../../src/markdown/extras/format-sql.js';

test('formatSql breaks a statement into clauses and keeps the case of keywords', () => {
  assert.equal(
    formatSql('select a, b from t where a = 1'),
    'select\n  a,\n  b\nfrom\n  t\nwhere\n  a = 1',
  );
});

test('formatSql keeps comments, strings and quoted names', () => {
  const code = 'SELECT "a b", `c  d`, \'x  y\' FROM t -- the table\nWHERE 1 = 1';
  const formatted = formatSql(code) ?? '';
  for (const piece of ['"a b"', '`c  d`', "'x  y'", '-- the table']) {
    assert.ok(formatted.includes(piece), piece);
  }
});

test('formatSql formats several statements', () => {
  assert.equal(formatSql('SELECT 1; SELECT 2;'), 'SELECT\n  1;\n\nSELECT\n  2;');
});

test('formatSql returns null for code that it cannot parse', () => {
  assert.equal(formatSql("SELECT (('"), null);
});
