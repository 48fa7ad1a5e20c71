import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanitizeFileName } from '../../src/model/file-name.js';

test('sanitizeFileName removes folders and control characters, and keeps the end of a long name', () => {
  const cases: readonly [string, string][] = [
    ['report.pdf', 'report.pdf'],
    ['/etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['..', ''],
    ['a/', ''],
    ['a\u0007b\u2066c\ufeff.txt', 'abc.txt'],
    ['résumé – 日本.pdf', 'résumé – 日本.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
  ];
  for (const [name, clean] of cases) assert.equal(sanitizeFileName(name), clean);
});

test('sanitizeFileName removes all invisible characters', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
    if (/[\u200c\u200d\ufe0e\ufe0f]/.test(character)) continue;
    assert.equal(sanitizeFileName(`bill${character}fdp.exe`), 'billfdp.exe', code.toString(16));
  }
});

test('sanitizeFileName keeps joiners and variation selectors', () => {
  for (const name of ['می\u200cخواهم.pdf', 'क्\u200dष.pdf', '👩\u200d💻 ☀\ufe0f.png', 'été.txt']) {
    assert.equal(sanitizeFileName(name), name);
  }
});

test('sanitizeFileName does not split the first character of a long name', () => {
  const rest = `${'x'.repeat(195)}.pdf`;
  for (const character of ['😀', 'e\u0301', '👩\u200d💻']) {
    assert.equal(sanitizeFileName(`a${character}${rest}`).replace('💻', ''), rest);
  }
  assert.equal(sanitizeFileName(`a${'x'.repeat(300)}.pdf`), `${'x'.repeat(196)}.pdf`);
});
