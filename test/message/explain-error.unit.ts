import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { findLocale, registerLocale } from '../../src/locales/locale.js';
import { explainCode, explainError } from '../../src/message/explain-error.js';

const LOCALE = findLocale('en');

test('explainCode returns the string of the language, else the English message of the code', () => {
  registerLocale('x-test', { error_network: 'Down' });
  assert.equal(explainCode('network', findLocale('x-test')), 'Down');
  assert.equal(explainCode('network', LOCALE), new UbikError('network').message);
});

test('explainCode has a general explanation for an unknown code', () => {
  const other = LOCALE.text('error_other');
  for (const code of ['', 'no-such-code', 'constructor', '__proto__']) {
    assert.equal(explainCode(code, LOCALE), other, code);
  }
});

test('explainError prefers the description and the advice of the service', () => {
  const explain = (description: string, advice: string): string => {
    const serviceError = { description, advice, code: 'E7' };
    return explainError(new UbikError('forbidden', { serviceError }), LOCALE);
  };
  assert.equal(explain('No quota left.', 'Ask the owner.'), 'No quota left. Ask the owner.');
  assert.equal(explain('No quota left.', ''), 'No quota left.');
  assert.equal(explain('', 'Ask the owner.'), explainCode('forbidden', LOCALE));
});

test('explainError explains a message that was not sent by the error of its request', () => {
  const serviceError = { description: 'No workers.', advice: 'Try at noon.', code: 'E7' };
  const explain = (cause: unknown) => explainError(new UbikError('not-sent', { cause }), LOCALE);
  assert.equal(explain(new UbikError('server')), explainCode('server', LOCALE));
  assert.equal(explain(new UbikError('server', { serviceError })), 'No workers. Try at noon.');
  for (const cause of [undefined, new Error('x')]) {
    assert.equal(explain(cause), explainCode('not-sent', LOCALE));
  }
  const interrupted = new UbikError('interrupted', { cause: new UbikError('server') });
  assert.equal(explainError(interrupted, LOCALE), explainCode('interrupted', LOCALE));
});

test('explainError explains an error with a code by its code, and anything else by the general explanation', () => {
  const other = LOCALE.text('error_other');
  assert.equal(explainError(new UbikError('network'), LOCALE), explainCode('network', LOCALE));
  for (const error of [new Error('x'), 'network', null, undefined, { code: 'network' }]) {
    assert.equal(explainError(error, LOCALE), other);
  }
});

test('explainError names an origin that cannot be reached and both causes, the network and CORS, unless it is that of the page', (context) => {
  const explain = (offender?: string): string =>
    explainError(new UbikError('network', { offender }), LOCALE);
  Object.defineProperty(globalThis, 'location', {
    value: { origin: 'https://page.test' },
    configurable: true,
  });
  context.after(() => Reflect.deleteProperty(globalThis, 'location'));
  assert.match(explain('https://api.test/v1'), /https:\/\/api\.test\..*network.*CORS/);
  for (const offender of ['https://page.test/v1', undefined, 'not a URL']) {
    assert.equal(explain(offender), explainCode('network', LOCALE), offender);
  }
});
