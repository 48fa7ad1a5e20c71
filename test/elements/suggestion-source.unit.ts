import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  filterSuggestions,
  findTrigger,
  readSuggestions,
} from '../../src/elements/composer/suggestion-source.js';

/** Returns the trigger for a caret at `|`: its character, index and query, without separators; empty when there is none. */
function triggerAt(text: string): string {
  const caret = text.indexOf('|');
  const found = findTrigger(text.replace('|', ''), caret);
  return found ? `${found.character}${found.start}${found.query}` : '';
}

test('findTrigger finds a command at the beginning of the message only', () => {
  assert.equal(triggerAt('/|'), '/0');
  assert.equal(triggerAt('/sum|mary'), '/0sum');
  for (const text of ['|/sum', '/sum |', 'a /sum|', 'one\n/sum|', 'and/or|']) {
    assert.equal(triggerAt(text), '', text);
  }
});

test('findTrigger finds a name after @, but not in an e-mail address', () => {
  assert.equal(triggerAt('@|'), '@0');
  assert.equal(triggerAt('Ask @Ad|'), '@4Ad');
  assert.equal(triggerAt('(@Ad|'), '@1Ad');
  assert.equal(triggerAt('请问@张|'), '@2张');
  assert.equal(triggerAt('one\n@Ad| two'), '@4Ad');
  for (const text of ['me@example.org|', 'a.b+c@d|', '@Ada |', 'a@|']) {
    assert.equal(triggerAt(text), '', text);
  }
});

test('findTrigger finds no name in an e-mail address with a domain about as long as the longest query', () => {
  for (let length = 60; length < 70; length += 1) {
    assert.equal(triggerAt(`me@${'a'.repeat(length)}|`), '', `${length}`);
  }
  const longest = 'a'.repeat(63);
  for (const before of ['', 'Ask ', '(']) {
    assert.equal(triggerAt(`${before}@${longest}|`), `@${before.length}${longest}`);
    assert.equal(triggerAt(`${before}@${longest}a|`), '');
  }
});

test('findTrigger ignores a query that is too long', () => {
  assert.equal(triggerAt(`@${'a'.repeat(100)}|`), '');
  assert.equal(triggerAt(`/${'a'.repeat(100)}|`), '');
});

test('filterSuggestions ranks prefix matches first, then other names, then descriptions', () => {
  const all = [
    { name: 'translate', description: 'Another language' },
    { name: 'language' },
    { name: 'slang' },
    { name: 'clear' },
  ];
  const names = (query: string): string[] => filterSuggestions(all, query).map(({ name }) => name);
  assert.deepEqual(names('LANG'), ['language', 'slang', 'translate']);
  assert.deepEqual(names(''), ['translate', 'language', 'slang', 'clear']);
  assert.deepEqual(names('constructor'), []);
  assert.deepEqual(filterSuggestions('nonsense', ''), []);
});

test('findTrigger finds a query of up to 64 characters including the trigger character', () => {
  const query = 'a'.repeat(63);
  assert.equal(triggerAt(`/${query}|`), `/0${query}`);
  assert.equal(triggerAt(`@${query}|`), `@0${query}`);
  assert.equal(triggerAt(`/${query}a|`), '');
  assert.equal(triggerAt(`@${query}a|`), '');
});

test('filterSuggestions searches descriptions from three characters on', () => {
  const all = [{ name: 'clear', description: 'Another way' }];
  assert.deepEqual(filterSuggestions(all, 'no'), []);
  assert.deepEqual(filterSuggestions(all, 'ANO'), all);
});

test('filterSuggestions returns the 50 best matches', () => {
  const all = Array.from({ length: 60 }, (_, index) => ({ name: `x-name-${index}` }));
  const best = { name: 'name' };
  const found = filterSuggestions([...all, best], 'name');
  assert.deepEqual([found.length, found[0]], [50, best]);
});

test('readSuggestions returns up to 50 suggestions and skips invalid ones', () => {
  assert.deepEqual(readSuggestions([null, 7, { name: 3 }, { name: 'a' }]), [{ name: 'a' }]);
  const many = Array.from({ length: 60 }, () => ({ name: 'a' }));
  assert.equal(readSuggestions(many).length, 50);
  assert.equal(readSuggestions(many, 3).length, 3);
});
