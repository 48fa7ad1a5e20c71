import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEssence, findFailure, toWords } from '../../src/message/tool/tool-words.js';

test('toWords writes a technical name as a sentence', () => {
  const names: readonly (readonly [name: string, words: string])[] = [
    ['read_execute_skill_file', 'Read execute skill file'],
    ['searchWeb2Pages', 'Search web2 pages'],
    ['mcp::files/read.all-now', 'Mcp files read all now'],
    ['_private_', 'Private'],
    ['_', ''],
  ];
  for (const [name, words] of names) assert.equal(toWords(name), words);
});

test('findEssence prefers a text itself, then the most telling field, then the first text', () => {
  assert.equal(findEssence('plain'), 'plain');
  assert.equal(findEssence('"quoted"'), 'quoted');
  assert.equal(findEssence('{"path":"p","query":"q","other":"o"}'), 'q');
  assert.equal(findEssence('{"other":"o","path":"p"}'), 'p');
  assert.equal(findEssence('{"number":1,"blank":" ","other":"o","last":"l"}'), 'o');
  assert.equal(findEssence('{"query":"  ","path":"p"}'), 'p');
  assert.equal(findEssence('7'), '7');
  for (const raw of [null, '', '{}', '[]', '{"query":1}']) {
    assert.equal(findEssence(raw), '', String(raw));
  }
});

test('findEssence gives one line of at most 120 characters', () => {
  const longest = 'a'.repeat(120);
  assert.equal(findEssence('  one\n\ttwo  '), 'one two');
  assert.equal(findEssence(longest), longest);
  assert.equal(findEssence(`${longest}b`), `${longest}…`);
  assert.equal(findEssence(`${' '.repeat(100)}${longest}`), longest);
});

test('findEssence does not read an input of more than 256,000 characters as JSON', () => {
  const inputOf = (length: number): string => {
    const rest = '{"query":"q","rest":""}'.length;
    return `{"query":"q","rest":"${'r'.repeat(length - rest)}"}`;
  };
  assert.equal(findEssence(inputOf(256_000)), 'q');
  assert.match(findEssence(inputOf(256_001)), /^\{"query":"q","rest":"r+…$/);
});

test('findFailure gives the reason of a failure, and an empty text when there is none', () => {
  assert.equal(findFailure('{"error":"No such file"}'), 'No such file');
  assert.equal(findFailure('{"error":{"message":"Inner"},"message":"outer"}'), 'Inner');
  assert.equal(findFailure('{"status":"failed","message":"Timed  out"}'), 'Timed out');
  assert.equal(findFailure('{"status":"error","error":null}'), '');
  assert.equal(findFailure('{"error":true}'), '');
});

test('findFailure is null for a result that does not report one', () => {
  for (const raw of [null, '', 'error', '"error"', '{}', '{"error":""}', '{"error":null}', '[]']) {
    assert.equal(findFailure(raw), null, String(raw));
  }
  assert.equal(findFailure('{"status":"done","message":"failed"}'), null);
});
