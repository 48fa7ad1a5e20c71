import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyMask } from '../../server/key-mask.js';

test('key mask finds a key in hex if the encoded key has at least eight characters', () => {
  assert.equal(createKeyMask('w{y}').redact('x 777b797d 777B797D'), 'x ******** ********');
  assert.equal(createKeyMask('w{y').redact('x 777b79'), 'x 777b79');
});

test('key mask stream withholds only what may be the beginning of the key', () => {
  const stream = createKeyMask('secret-key').stream();
  const read = (text: string): string => {
    stream.write(text);
    return String(stream.read() ?? '');
  };
  assert.equal(read('!!'), '!!');
  assert.equal(read('!'.repeat(1000)), '!'.repeat(1000));
  assert.equal(read('! secret'), '! ');
  assert.equal(read('-key !'), '********** !');
});

test('key mask stream finds the longest spelling of a key, also when its last byte arrives later', () => {
  const escaped = [...[...'secret-key'].join('\0')]
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const stream = createKeyMask('secret-key').stream();
  stream.write(escaped.slice(0, -1));
  assert.equal(stream.read(), null);
  stream.write(escaped.slice(-1));
  assert.equal(String(stream.read()), '*'.repeat(escaped.length));
});

test('key mask stream withholds the beginning of the key after a long text in the same piece', () => {
  const stream = createKeyMask('secret-key').stream();
  stream.write(`${'!'.repeat(1000)}secret`);
  assert.equal(String(stream.read()), '!'.repeat(1000));
  stream.end('-kex');
  assert.equal(String(stream.read()), 'secret-kex');
});

test('key mask finds a key in base64 if the encoded key has at least eight characters', () => {
  const short = createKeyMask('secre');
  assert.equal(createKeyMask('secret').redact(`x ${btoa('secret')}`), 'x ********');
  assert.equal(short.redact(`x ${btoa('secre')}`), `x ${btoa('secre')}`);
});
