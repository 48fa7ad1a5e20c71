import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile, identifyFile } from '../../src/controller/documents/check-file.js';

const file = (name: string, text = 'text'): File => new File([text], name, { lastModified: 1 });

test('checkFile checks size and type', () => {
  const limits = { maxBytes: 4, types: ['.TXT', 'image/*', 'text/csv'] };
  const typed = (name: string, type: string): File => new File(['text'], name, { type });
  const cases: readonly [File, string | null][] = [
    [new File([], 'a.txt'), 'empty'],
    [file('a.txt', '12345'), 'too-large'],
    [file('a.txt'), null],
    [typed('a', 'image/png'), null],
    [typed('a.csv', 'text/csv'), null],
    [typed('a.exe', 'application/octet-stream'), 'wrong-type'],
    [typed('atxt', ''), 'wrong-type'],
  ];
  for (const [one, reason] of cases) assert.equal(checkFile(one, limits, 0), reason, one.name);
  assert.equal(checkFile(typed('a', 'x/y'), { types: ['*'] }, 0), null);
  assert.equal(checkFile(typed('a', 'x/y'), { types: [] }, 0), null);
  assert.equal(checkFile(typed('a', 'imagery/png'), { types: ['image/*'] }, 0), 'wrong-type');
});

test('checkFile ignores case and surrounding blanks of types', () => {
  const typed = (name: string, type: string): File => new File(['text'], name, { type });
  const check = (one: File, ...types: string[]) => checkFile(one, { types }, 0);
  assert.equal(check(typed('A.TXT', ''), ' .txt '), null);
  assert.equal(check(typed('a', 'text/csv'), 'TEXT/CSV'), null);
  assert.equal(check(typed('a', 'image/png'), 'IMAGE/*'), null);
});

test('checkFile refuses a file beyond the maximum number', () => {
  assert.equal(checkFile(file('a'), { maxFiles: 2 }, 1), null);
  assert.equal(checkFile(file('a'), { maxFiles: 2 }, 2), 'too-many');
});

test('identifyFile distinguishes files by name, size and date', () => {
  const base = identifyFile(file('a'));
  assert.equal(identifyFile(file('a')), base);
  const later = new File(['text'], 'a', { lastModified: 2 });
  for (const other of [file('b'), file('a', 'longer'), later])
    assert.notEqual(identifyFile(other), base);
});
