import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineElement } from '../../src/elements/define-element.js';

/** Sets global values during `act`; returns the console warnings. */
function withGlobals(values: Readonly<Record<string, unknown>>, act: () => void): string[] {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  Object.assign(globalThis, values);
  try {
    act();
  } finally {
    for (const name of Object.keys(values)) Reflect.deleteProperty(globalThis, name);
    console.warn = warn;
  }
  return warnings;
}

describe('defineElement outside of a page', () => {
  const defined: string[] = [];
  const customElements = {
    get: () => undefined,
    define: (name: string) => void defined.push(name),
  };
  const Element = class {} as unknown as CustomElementConstructor;

  it('does nothing without a registry or without a document', () => {
    const warnings = withGlobals({}, () => {
      defineElement('test-server', Element);
    });
    warnings.push(
      ...withGlobals({ customElements }, () => {
        defineElement('test-server', Element);
      }),
      ...withGlobals({ document: {} }, () => {
        defineElement('test-server', Element);
      }),
    );
    assert.deepEqual([defined, warnings], [[], []]);
  });

  it('warns once where templates cannot be rendered, and defines nothing', () => {
    const warnings = withGlobals({ customElements, document: {} }, () => {
      defineElement('test-refused', Element);
      defineElement('test-refused', Element);
    });
    assert.deepEqual(defined, []);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /Content-Security-Policy/);
  });
});
