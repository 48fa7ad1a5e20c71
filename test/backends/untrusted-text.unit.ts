import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceMarkCharacters, toWebUrl } from '../../src/backends/untrusted-text.js';

test('replaceMarkCharacters replaces both delimiters of an inline mark', () => {
  assert.equal(replaceMarkCharacters('a \uE000key\uE001 b \uE000'), 'a \uFFFDkey\uFFFD b \uFFFD');
});

test('toWebUrl returns complete URLs with http or https, in the normalized spelling', () => {
  assert.equal(toWebUrl('http://news.example'), 'http://news.example/');
  assert.equal(toWebUrl('HTTPS://news.example/a?b#c'), 'https://news.example/a?b#c');
});

test('toWebUrl returns an empty string for other schemes, relative URLs and credentials', () => {
  const refused = [
    'javascript:alert(1)',
    'data:text/html,a',
    'mailto:a@news.example',
    '//news.example/',
    'news.example',
    'https://user:secret@news.example/',
    'https://user@news.example/',
    'https://:secret@news.example/',
    '',
  ];
  for (const address of refused) assert.equal(toWebUrl(address), '', address);
});
