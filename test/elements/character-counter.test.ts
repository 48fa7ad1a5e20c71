import { expect } from '@open-wc/testing';
import { CharacterCounter } from '../../src/elements/composer/character-counter.js';

/** A counter of a field with a limit, and what it announces. */
function setup(maxLength: number) {
  const node = document.createElement('textarea');
  const field = { text: '', node };
  const announced: string[] = [];
  const text = (name: string, { count = 0 } = {}): string => `${name} ${String(count)}`;
  const host = { element: { maxLength }, context: { locale: { text } } };
  const announce = (label: string): void => void announced.push(label);
  const counter = new CharacterCounter({ host, field, announce } as never);
  const write = (length: number): string => {
    field.text = 'x'.repeat(length);
    counter.update();
    return counter.node.textContent;
  };
  return { announced, counter, field, node, write };
}

describe('character counter', () => {
  it('appears in the last quarter of a short message', () => {
    const { counter, node, write } = setup(18);
    expect(write(12)).to.equal('');
    expect(write(13)).to.equal('lengthLeft 5');
    expect(write(18)).to.equal('lengthLeft 0');
    expect(counter.node.dataset['state']).to.equal('near');
    expect(node.getAttribute('aria-invalid')).to.equal('false');
    expect(write(19)).to.equal('lengthOver 1');
    expect(counter.node.dataset['state']).to.equal('over');
    expect(node.getAttribute('aria-invalid')).to.equal('true');
    expect(write(0)).to.equal('');
    expect(counter.node.dataset['state']).to.equal('');
    expect(node.getAttribute('aria-invalid')).to.equal('false');
  });

  it('accepts a text that has the maximal length at once', () => {
    const { announced, counter, node, write } = setup(18);
    expect(write(18)).to.equal('lengthLeft 0');
    expect(counter.node.dataset['state']).to.equal('near');
    expect(node.getAttribute('aria-invalid')).to.equal('false');
    expect(announced).to.deep.equal(['lengthLeft 0']);
  });

  it('appears 100 characters before the limit of a long message', () => {
    const { write } = setup(1000);
    expect(write(899)).to.equal('');
    expect(write(900)).to.equal('lengthLeft 100');
  });

  it('announces only that the limit comes near or is exceeded', () => {
    const { announced, write } = setup(20);
    for (const length of [1, 15, 16, 20, 21, 22, 20]) write(length);
    expect(announced).to.deep.equal(['lengthLeft 5', 'lengthOver 1', 'lengthLeft 0']);
  });

  it('counts an emoji once and rejects a text over the limit', () => {
    const { counter, field } = setup(4);
    field.text = '\u{1f600}\u{1f600}\u{1f600}\u{1f600}';
    counter.update();
    expect(counter.node.textContent).to.equal('lengthLeft 0');
    expect(counter.validate(field.text)).to.equal('');
    expect(counter.validate(`${field.text}x`)).to.equal('tooLong 4');
  });

  it('does nothing without a limit', () => {
    for (const limit of [0, -1, Number.NaN]) {
      const { counter, write } = setup(limit);
      expect(write(500), String(limit)).to.equal('');
      expect(counter.validate('text'), String(limit)).to.equal('');
    }
  });
});
