import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeComponent } from '../../src/transport/encode-component.js';

test('encodeComponent equals encodeURIComponent for every well-formed text', () => {
  for (const text of ['', 'a/b?c#d é', '|%25', '日本', '😀', '\u0000\uffff', '\uFFFD']) {
    assert.equal(encodeComponent(text), encodeURIComponent(text));
  }
});

test('encodeComponent gives different texts different encodings, also texts with lone surrogates', () => {
  const texts = [
    '\ud800',
    '\ud801',
    '\udfff',
    '\udc00\ud800',
    '\ud800x',
    'x\ud800',
    '\uFFFD',
    '%ED%A0%80',
    '\ud83d😀\ude00',
    '',
  ];
  const encoded = texts.map(encodeComponent);
  assert.equal(new Set(encoded).size, texts.length);
  for (const text of encoded) assert.match(text, /^(?:[\w.~!*'()-]|%[\dA-F]{2})*$/u);
  assert.equal(encodeComponent('\ud800'), '%ED%A0%80');
  assert.equal(encodeComponent('\udfff'), '%ED%BF%BF');
});
