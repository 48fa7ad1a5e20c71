import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyMask } from '../../server/key-mask.js';

test('key mask finds a key in hex from eight characters on', () => {
  assert.equal(createKeyMask('w{y}').redact('x 777b797d 777B797D'), 'x ******** ********');
  assert.equal(createKeyMask('w{y').redact('x 777b79'), 'x 777b79');
});

test('key mask stream holds back only what may be the beginning of the key', () => {
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

test('key mask finds a key in base64 from eight characters on', () => {
  const short = createKeyMask('secre');
  assert.equal(createKeyMask('secret').redact(`x ${btoa('secret')}`), 'x ********');
  assert.equal(short.redact(`x ${btoa('secre')}`), `x ${btoa('secre')}`);
});
