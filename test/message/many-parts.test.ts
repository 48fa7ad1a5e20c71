import { expect } from '@open-wc/testing';
import { part, setupMessageView, text } from './message-fixture.js';

const COUNT = 450;
const checkpoint = (index: number) =>
  part(`checkpoint:${String(index)}`, { kind: 'checkpoint', name: `point ${String(index)}` });

describe('message with many parts', () => {
  it('renders the first parts at once and the others in the next frames, in order', () => {
    const { apply, root, frames } = setupMessageView();
    apply(...Array.from({ length: COUNT }, (_, index) => checkpoint(index)));
    const shown = (): string[] =>
      [...root.querySelectorAll('[part~=checkpoint]')].map(({ textContent }) => textContent.trim());
    expect(shown().length).to.be.within(50, 200);
    const first = shown();
    frames.frame(1);
    expect(shown().length).to.be.within(first.length + 1, COUNT - 1);
    frames.flush();
    expect(shown()).to.have.length(COUNT);
    expect(shown().slice(0, first.length)).to.deep.equal(first);
    shown().forEach((words, index) => expect(words).to.contain(`point ${String(index)}`));
  });

  it('inserts parts that arrive before all are rendered', () => {
    const { apply, root, frames } = setupMessageView();
    apply(
      ...Array.from({ length: COUNT }, (_, index) => checkpoint(index)),
      part('late', { kind: 'text' }, null, 'checkpoint:400'),
      text('late', 'Late words'),
      part('early', { kind: 'text' }, null, 'checkpoint:1'),
      text('early', 'Early words'),
    );
    frames.flush();
    const nodes = [...root.querySelectorAll('[part~=checkpoint], [part~=text]')];
    const at = (words: string): number =>
      nodes.findIndex(({ textContent }) => textContent.includes(words));
    expect(at('Early words')).to.equal(1);
    expect(at('Late words')).to.equal(401);
    expect(nodes).to.have.length(COUNT + 2);
  });

  it('inserts a part before one that is not rendered yet, which is before one that is', () => {
    const { apply, root, frames } = setupMessageView();
    apply(
      ...Array.from({ length: COUNT }, (_, index) => checkpoint(index)),
      part('second', { kind: 'text' }, null, 'checkpoint:1'),
      text('second', 'Second words'),
      part('first', { kind: 'text' }, null, 'second'),
      text('first', 'First words'),
    );
    frames.flush();
    const shown = [...root.querySelectorAll('[part~=checkpoint], [part~=text]')]
      .slice(0, 4)
      .map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
    expect(shown).to.deep.equal([
      'Checkpoint point 0',
      'First words',
      'Second words',
      'Checkpoint point 1',
    ]);
  });
});
